import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: 'Koin lain diterima',
    underpaid: 'Pembayaran Anda tidak cukup untuk pesanan ini',
    late: 'Pembayaran Anda terlambat',
    second_payment: 'Pembayaran kedua diterima',
    order_closed: 'Pembayaran diterima untuk pesanan yang sudah ditutup',
    too_late: 'Pembayaran Anda sudah terlalu terlambat',
    overpaid: 'Anda membayar lebih dari yang seharusnya',
  },
  otherCoin: 'koin lain',
  received: {
    wrong_asset: (coins, wanted) =>
      `Kami menerima ${coins}, tetapi pembayaran ini seharusnya dalam ${wanted}.`,
    underpaid: (coins, value) =>
      value === null ? `Kami menerima ${coins}.` : `Kami menerima ${coins}, senilai ${value}.`,
    late: (coins, value) =>
      value === null
        ? `Kami menerima ${coins} setelah waktu pembayaran habis.`
        : `Kami menerima ${coins}, senilai ` + `${value}, setelah waktu pembayaran habis.`,
    second_payment: coins => `Kami menerima ${coins}, tetapi pesanan ini sudah lunas.`,
    order_closed: coins => `Kami menerima ${coins}, tetapi pesanan ini sudah ditutup.`,
    too_late: coins => `Kami menerima ${coins} lama setelah waktu pembayaran habis.`,
    overpaid: (coins, due) => `Kami menerima ${coins}, padahal yang harus dibayar hanya ${due}.`,
  },
  notLost: shop => `Pembayaran Anda sudah tercatat, dan ${shop} telah diberi tahu.`,
  contact: shop => `Hubungi ${shop}`,
  contactForRefund: contact => `${contact} untuk pengembalian dana atau jika ada pertanyaan.`,
  refundAddress: network => `Alamat pengembalian dana di ${network}`,
  optional: '(opsional)',
  saveAddress: 'Simpan alamat pengembalian dana',
  wrongAddress: 'Jika salah, hubungi toko.',
}
