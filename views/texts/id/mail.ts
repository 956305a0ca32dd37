import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Pesanan Anda di ${shop}`,
  opened:
    'Anda membuka pembayaran untuk pesanan ini. Jika halaman ditutup, tautan di bawah membawa Anda kembali.',
  paid: shop => `${shop} telah menerima pembayaran Anda. Terima kasih.`,
  ignore: 'Jika Anda tidak memesan apa pun, abaikan email ini.',
}
