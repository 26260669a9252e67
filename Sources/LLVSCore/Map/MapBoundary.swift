/// Where a level of the map is cut into nodes: a function of the keys alone, so that equal content has equal nodes.
///
/// After the c-th entry of a node the level is cut with probability 1 − exp(−(c⁴ − (c−1)⁴) / 16⁴), a Weibull distribution
/// of node sizes (about 15 on average, with little spread), decided by a hash of the level and the entry's key.
/// Content hashes have no say: a value that changes moves no boundary.
package enum MapBoundary {
    /// The fewest entries in any node but the last of its level.
    package static let minimumCount = 2
    /// The most entries in a node.
    package static let maximumCount = 48

    /// Whether a node ends after its entry number `count`, whose key is `key`.
    package static func cuts(after key: UnsafeRawBufferPointer, level: UInt8, count: Int) -> Bool {
        if count < minimumCount { return false }
        if count >= maximumCount { return true }
        return hash(of: key, level: level) < thresholds[count - 1]
    }

    /// The first eight bytes of SHA-256(level ‖ key), little-endian.
    package static func hash(of key: UnsafeRawBufferPointer, level: UInt8) -> UInt64 {
        var hash = SHA256()
        withUnsafeBytes(of: level) { hash.update($0) }
        hash.update(key)
        return hash.digest().withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
    }

    /// The hash below which a level is cut after entry c, at index c − 1: the integer part of 2⁶⁴ times the probability,
    /// 0 for the first entry. The 48th entry ends its node whatever its hash. These numbers are part of the format.
    package static let thresholds: [UInt64] = [
        0x0000_0000_0000_0000, 0x000e_ff8f_8232_77c2, 0x0040_f7c0_32bf_7c88, 0x00ae_c43d_1ed9_30af,
        0x016f_f68f_188f_7661, 0x029b_939d_d8e3_550a, 0x0447_bc88_5c69_ad57, 0x0689_44b0_51da_cb42,
        0x0973_37c6_c1de_5ced, 0x0d16_53bb_2b63_db5e, 0x1180_7b92_39e1_fdbc, 0x16bc_2948_b7e4_0f76,
        0x1ccf_e5e8_d474_3f4d, 0x23bd_cfbe_73f7_b8f3, 0x2b83_3705_0707_934f, 0x3418_5961_8fe3_f101,
        0x3d70_43e5_f25a_1f85, 0x4778_e227_4e12_0b35, 0x521b_3f1b_6fa0_66ec, 0x5d3b_fa03_4ff8_dc58,
        0x68bb_eebc_80e0_5ce0, 0x7479_0d94_6428_32ec, 0x804f_5b60_6161_9171, 0x8c1a_0f73_9230_e559,
        0x97b4_c257_9e79_d371, 0xa2fc_9e3c_ae07_cdb1, 0xadd1_8121_b38f_d84f, 0xb817_00ee_0faa_d965,
        0xc1b5_4328_87e4_e23a, 0xca99_9c97_c623_f017, 0xd2b6_f0b7_e59b_b903, 0xda05_cd43_a853_2527,
        0xe084_42b5_41a0_2c93, 0xe635_7f2c_dcca_16cb, 0xeb21_352d_a975_792f, 0xef52_dabe_9dfc_801f,
        0xf2d8_cf6d_1d43_a9dc, 0xf5c3_7851_e60a_e000, 0xf824_608e_6490_4b7e, 0xfa0d_6ae8_2568_7ba3,
        0xfb90_1e76_23ea_9999, 0xfcbd_1518_1c38_2b2e, 0xfda3_8f0a_627c_bb9f, 0xfe51_2bb3_50c6_d0d4,
        0xfed1_c50c_720f_2b0d, 0xff2f_68fb_faf7_97d3, 0xff72_6aaa_caf2_0031, 0xffff_ffff_ffff_ffff,
    ]
}
