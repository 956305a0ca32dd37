import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${coin} di ${network}`,
  pay: (amount, network) => `Bayar ${amount} di ${network}`,
  payCoin: amount => `Bayar ${amount}`,
  waiting: 'Menunggu pembayaran Anda',
  timeLeft: 'Sisa waktu:',
  payBefore: time => `Bayar sebelum ${time}`,
  fewMinutesLeft: 'Sisa waktu pembayaran kurang dari lima menit.',
  detected: 'Pembayaran terdeteksi',
  detectedWith: progress => `Pembayaran terdeteksi: ${progress}`,
  confirmations: 'Konfirmasi',
  progress: (done, required) => `${done} dari ${required} konfirmasi`,
  lastConfirmation: 'Menunggu konfirmasi akhir',
  aboutLeft: time => `sekitar ${time} lagi`,
  receivedPayments: 'Diterima sejauh ini',
  closePage:
    'Anda dapat menutup halaman ini. Pesanan akan ditandai lunas segera setelah jaringan mengonfirmasi ' +
    'pembayaran.',
  leftToPay: amount => `Sisa yang harus dibayar: ${amount}`,
  sendRest: received => `Kami menerima ${received}. Kirim sisanya ke alamat yang sama.`,
  dustTitle: 'Sisa jumlah terlalu kecil untuk dikirim',
  qrOfPayment: 'Kode QR pembayaran',
  qrOfAddress: 'Kode QR alamat',
  cannotScan: 'Dompet tidak dapat memindai kode ini?',
  onlyAddress: 'Kode ini hanya berisi alamat.',
  showAddressOnly: 'Tampilkan alamat saja',
  includeAmount: 'Sertakan jumlah',
  openWallet: 'Buka di dompet',
  walletClosed: 'Tidak ada yang terbuka? Salin jumlah dan alamatnya ke dompet Anda.',
  browserWallet: {
    pay: 'Bayar dengan {wallet}',
    open: 'Konfirmasikan pembayaran di dompet Anda.',
    sent: 'Terkirim. Halaman ini akan berubah saat pembayaran terdeteksi.',
    again: 'Kirim lagi dengan {wallet}?',
    twice: 'Kirim lagi hanya jika dompet Anda menyatakan bahwa pembayaran pertama gagal.',
    rejected: 'Anda tidak mengonfirmasi pembayaran. Tidak ada yang dikirim.',
    chain: 'Dompet Anda tidak mengenali jaringan ini. Tambahkan di dompet, lalu coba lagi.',
    failed:
      'Dompet Anda tidak dapat mengirim pembayaran. Periksa saldonya, atau bayar dengan kode QR atau alamat.',
  },
  sendTestCoins: 'Kirim koin uji coba',
  sendOnly: (coin, network) => `Kirim hanya ${coin} di jaringan ${network}.`,
  otherCoins:
    'Koin lain, atau koin yang dikirim di jaringan lain, mungkin tidak dihitung untuk pesanan ini ' +
    'dan dapat hilang.',
  exactAmount: 'Kirim tepat jumlah ini dalam satu transaksi.',
  exactAmountReason:
    'Kami mengenali pembayaran Anda dari jumlahnya. Jika Anda membayar dari bursa, tambahkan ' +
    'biaya penarikannya agar tepat jumlah ini yang sampai.',
  exchangeFee: 'Membayar dari bursa? Tambahkan biaya penarikannya agar tepat jumlah ini yang sampai.',
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
  partOf: (received, due) => `${received} dari ${due}`,
  maybePaid:
    'Baru saja membayar? Pembayaran Anda tetap akan terdeteksi; Anda dapat menutup halaman ini. ' +
    'Jika belum, dapatkan harga baru.',
  newPrice: coin => `Dapatkan harga ${coin} baru`,
  notCovered:
    'Kami belum menerima jumlah penuhnya. Jika Anda baru saja membayar, periksa lagi dalam beberapa menit.',
  elsewhere: {
    ask: 'Saya mengirim lewat jaringan lain',
    looking: networks => `Kami sedang memeriksa ${networks}.`,
    found: coins => `Kami menemukan ${coins}.`,
    nothing: (networks, time) => `Kami memeriksa ${networks} pada pukul ${time} dan tidak menemukan apa pun.`,
    unreachable: networks =>
      `Kami tidak dapat menghubungi ${networks}. ` +
      'Kami akan terus mencoba, dan yang Anda kirim tidak akan hilang.',
  },
  turnedTo: coin =>
    `Pembayaran yang lebih baru dimulai di jendela lain: ${coin}. Halaman ini sekarang ` +
    'menampilkannya. Jika Anda sudah membayar, pembayaran Anda tetap akan terdeteksi.',
}
