"""The configuration system: from Kconfig and a defconfig to a build directory."""
