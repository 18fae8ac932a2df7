include $(BR2_EXTERNAL_VG_PATH)/package/libvg/libvg.mk
