SUMMARY = "AES-GCM built to the board"
LICENSE = "BSD-2-Clause"
LIC_FILES_CHKSUM = "file://LICENSE;md5=2c2a11ee6cd2e0492cb51909e3aebc89"
PV = "0"

# The sources are those that this layer stands in.
EXTERNALSRC = "${@os.path.normpath(os.path.join(d.getVar('THISDIR'), '../../../../..'))}"
EXTERNALSRC_BUILD = "${WORKDIR}/build"

inherit externalsrc python3native

COMPATIBLE_HOST = "x86_64.*-linux"
DEPENDS = "nasm-native ninja-native python3-kconfiglib-native"

# A name that tools/configure --list prints, or the path of a file; then assignments as VG_WIPE=n.
VG_DEFCONFIG ?= "generic_x86_64"
VG_SET ?= ""

# Its configuration decides how the library is optimised; a compiler newer than it may have more warnings.
do_configure() {
    flags=
    for flag in ${CFLAGS}; do
        case $flag in
        -O*) ;;
        *) flags="$flags$flag " ;;
        esac
    done
    set --
    for assignment in ${VG_SET}; do
        set -- "$@" --set "$assignment"
    done
    cd ${S}
    CC="${CC}" AR="${AR}" NM="${NM}" OBJCOPY="${OBJCOPY}" NASM=nasm \
        tools/configure ${VG_DEFCONFIG} -o ${B} "$@" --cflags "$flags-Wno-error"
}

do_compile() {
    ninja -C ${B} libvg.a sbom
}

do_install() {
    DESTDIR=${D} PREFIX=${prefix} LIBDIR=${libdir} INCLUDEDIR=${includedir} DATADIR=${datadir} \
        ninja -C ${B} install
}
