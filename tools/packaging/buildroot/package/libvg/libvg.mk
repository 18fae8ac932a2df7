################################################################################
#
# libvg
#
################################################################################

LIBVG_VERSION = 0
LIBVG_SITE = $(BR2_EXTERNAL_VG_PATH)/../../..
LIBVG_SITE_METHOD = local
LIBVG_OVERRIDE_SRCDIR_RSYNC_EXCLUSIONS = --exclude /build --exclude '/build-*'
LIBVG_LICENSE = BSD-2-Clause
LIBVG_LICENSE_FILES = LICENSE
LIBVG_INSTALL_STAGING = YES
LIBVG_INSTALL_TARGET = NO
LIBVG_DEPENDENCIES = host-nasm host-ninja

ifeq ($(BR2_PACKAGE_LIBVG_BY_MENU),y)
LIBVG_BASE = --parent $(BR2_CONFIG)
else
LIBVG_BASE = $(call qstrip,$(BR2_PACKAGE_LIBVG_DEFCONFIG))
endif

# Its configuration decides how the library is optimised; a compiler newer than it may have more warnings.
define LIBVG_CONFIGURE_CMDS
	cd $(@D) && $(TARGET_CONFIGURE_OPTS) NASM="$(HOST_DIR)/bin/nasm" \
		tools/configure $(LIBVG_BASE) -o $(@D)/build-target \
		--cflags "$(filter-out -O%,$(TARGET_CFLAGS)) -Wno-error"
endef

define LIBVG_BUILD_CMDS
	$(TARGET_MAKE_ENV) $(HOST_DIR)/bin/ninja -C $(@D)/build-target libvg.a sbom
endef

define LIBVG_INSTALL_STAGING_CMDS
	$(TARGET_MAKE_ENV) DESTDIR="$(STAGING_DIR)" PREFIX=/usr \
		$(HOST_DIR)/bin/ninja -C $(@D)/build-target install
endef

$(eval $(generic-package))
