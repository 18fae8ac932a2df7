/* The variants without stitched kernels share functions. */
#ifndef VG_SRC_UNSTITCHED_H
#define VG_SRC_UNSTITCHED_H

/* What unstitched.c makes of counter mode and GHASH. Nobody calls seal_split: split_mask is 0. */
#define vg_crypt_run_portable_base       vg_crypt_run_unstitched
#define vg_crypt_run_portable_prepared   vg_crypt_run_unstitched
#define vg_seal_portable_base            vg_seal_unstitched
#define vg_seal_portable_prepared        vg_seal_unstitched
#define vg_seal_split_portable_base      vg_seal_unstitched
#define vg_seal_split_portable_prepared  vg_seal_unstitched
#define vg_seal_slices_portable_base     vg_seal_slices_unstitched
#define vg_seal_slices_portable_prepared vg_seal_slices_unstitched
#define vg_open_portable_base            vg_open_unstitched
#define vg_open_portable_prepared        vg_open_unstitched
#define vg_crypt_run_aesni_base          vg_crypt_run_unstitched
#define vg_crypt_run_aesni_prepared      vg_crypt_run_unstitched
#define vg_seal_aesni_base               vg_seal_unstitched
#define vg_seal_aesni_prepared           vg_seal_unstitched
#define vg_seal_split_aesni_base         vg_seal_unstitched
#define vg_seal_split_aesni_prepared     vg_seal_unstitched
#define vg_seal_slices_aesni_base        vg_seal_slices_unstitched
#define vg_seal_slices_aesni_prepared    vg_seal_slices_unstitched
#define vg_open_aesni_base               vg_open_unstitched
#define vg_open_aesni_prepared           vg_open_unstitched
#define vg_crypt_run_pclmul_base         vg_crypt_run_unstitched
#define vg_crypt_run_pclmul_prepared     vg_crypt_run_unstitched
#define vg_seal_pclmul_base              vg_seal_unstitched
#define vg_seal_pclmul_prepared          vg_seal_unstitched
#define vg_seal_split_pclmul_base        vg_seal_unstitched
#define vg_seal_split_pclmul_prepared    vg_seal_unstitched
#define vg_seal_slices_pclmul_base       vg_seal_slices_unstitched
#define vg_seal_slices_pclmul_prepared   vg_seal_slices_unstitched
#define vg_open_pclmul_base              vg_open_unstitched
#define vg_open_pclmul_prepared          vg_open_unstitched

/* Without PCLMULQDQ, GHASH has no use for powers: both forms are one. */
#define vg_ghash_portable_base     vg_ghash_portable
#define vg_ghash_portable_prepared vg_ghash_portable
#define vg_ghash_aesni_base        vg_ghash_portable
#define vg_ghash_aesni_prepared    vg_ghash_portable
#define vg_powers_aesni            vg_powers_portable

#endif
