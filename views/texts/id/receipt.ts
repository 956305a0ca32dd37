import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  titleOf: shop => `Tanda terima dari ${shop}`,
  title: 'Tanda terima',
  show: 'Lihat tanda terima',
  paidOn: 'Tanggal pembayaran',
  order: 'Pesanan',
  item: 'Item',
  thisOrder: reference => `Pesanan ${reference}`,
  amount: 'Jumlah',
  total: 'Total',
  refunded: date => `Dikembalikan pada ${date}`,
  afterRefunds: 'Total setelah pengembalian dana',
  payment: 'Pembayaran',
  paidWith: 'Dibayar dengan',
  received: 'Diterima',
  rate: 'Kurs',
  transaction: 'Transaksi',
  byMerchant: shop => `${shop} menandai pesanan ini lunas.`,
  print: 'Cetak atau simpan sebagai PDF',
  backToOrder: 'Kembali ke pesanan',
  sandbox: 'Pembayaran uji coba di lingkungan uji coba. Tidak ada uang sungguhan yang dibayarkan.',
}
