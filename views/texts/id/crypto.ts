import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${coin} di ${network}`,
  payWith: coin => `Bayar dengan ${coin}`,
  waiting: 'Menunggu pembayaran Anda',
  timeLeft: 'Sisa waktu:',
  payBefore: time => `Bayar sebelum ${time}`,
  detected: 'Pembayaran terdeteksi',
  detectedWith: progress => `Pembayaran terdeteksi: ${progress}`,
  confirmations: 'Konfirmasi',
  progress: (done, required) => `${done} dari ${required} konfirmasi`,
  lastConfirmation: 'Menunggu konfirmasi akhir',
  closePage: 'Anda dapat menutup halaman ini; pesanan Anda tetap akan ditandai lunas.',
  leftToPay: amount => `Sisa yang harus dibayar: ${amount}`,
  sendRest: received => `Kami menerima ${received}. Kirim sisanya ke alamat yang sama.`,
  dustTitle: 'Sisa jumlah terlalu kecil untuk dikirim',
  dust: (received, due) =>
    `Kami menerima ${received} dari ${due}, dan toko telah diberi tahu. Anda tidak perlu mengirim ` +
    'apa pun lagi. Hubungi toko jika pesanan Anda tidak segera dikonfirmasi.',
  qrOfPayment: 'Kode QR pembayaran',
  qrOfAddress: 'Kode QR alamat',
  cannotScan: 'Dompet tidak dapat memindai kode ini?',
  onlyAddress: 'Kode ini hanya berisi alamat.',
  showAddressOnly: 'Tampilkan alamat saja',
  includeAmount: 'Sertakan jumlah',
  openWallet: 'Buka di dompet',
  sendTestCoins: 'Kirim koin uji coba',
  sendOnly: (coin, network) => `Kirim hanya ${coin} di jaringan ${network}.`,
  otherCoins:
    'Koin lain, atau koin yang dikirim di jaringan lain, tidak akan membayar pesanan ini dan dapat hilang.',
  exactAmount: 'Kirim tepat jumlah ini dalam satu transaksi.',
  exactAmountReason:
    'Kami mengenali pembayaran Anda dari jumlahnya, jadi pastikan dompet atau bursa Anda tidak ' +
    'memotong biaya dari jumlah itu.',
  amountLeft: 'Sisa yang harus dibayar',
  amountDue: 'Kirim tepat',
  toAddress: network => `Ke alamat ${network} ini`,
  rate: 'Kurs',
  theAmount: 'jumlah',
  theAddress: 'alamat',
  nothingFound: network => `Belum ada pembayaran yang terdeteksi di ${network}.`,
  nothingMore: 'Tidak ada lagi yang diterima.',
  restMissing: 'Sisanya belum diterima.',
  unconfirmed: 'Pembayaran belum dikonfirmasi.',
  lapsed: 'Waktu pembayaran telah habis',
  lapsedShort: received =>
    `Kami menerima ${received}. Pembayaran Anda aman. Hubungi toko sebelum membayar lagi.`,
  partOf: (received, due) => `${received} dari ${due}`,
  maybePaid:
    'Baru saja membayar? Pembayaran Anda tetap akan terdeteksi; Anda dapat menutup halaman ini. ' +
    'Jika belum, dapatkan harga baru.',
  newPrice: coin => `Dapatkan harga ${coin} baru`,
  notCovered: 'Tidak ada pembayaran yang mencukupi pesanan ini.',
}
