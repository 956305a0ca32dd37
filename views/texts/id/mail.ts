import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Pesanan Anda di ${shop}`,
  opened: 'Anda sudah mulai membayar pesanan ini. Gunakan tautan di bawah untuk kembali ke pembayaran.',
  paid: shop => `${shop} telah menerima pembayaran Anda. Terima kasih.`,
  ignore: 'Jika Anda tidak membuat pesanan ini, abaikan email ini.',
}
