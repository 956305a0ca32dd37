import type { Texts } from '../types.ts'

export const paymentMail: Texts['paymentMail'] = {
  subject: (title, shop) => `${title} – ${shop}`,
  part: 'Ödemenizin bir kısmı ulaştı',
  left: (left, total) =>
    `${total} tutarının ${left} kadarı ödenmeyi bekliyor. Kalanını mağazanın sunduğu herhangi bir ` +
    'yöntemle ödeyebilirsiniz.',
  payRest: 'Kalanı öde',
  vanished: 'Ödemeniz artık ağda görünmüyor',
  refund: 'İadeniz',
  recorded: (shop, amount) => `${shop}, siparişiniz için ${amount} tutarında bir iade kaydetti.`,
  refundedTotal: 'Toplam iade',
  sentApart: shop => `${shop} parayı size ayrıca gönderir. Ulaşmazsa mağazayla iletişime geçin.`,
  sentBack: 'Para, ödeme yaptığınız ödeme sağlayıcısı tarafından geri gönderilir.',
  decides: 'İadeye mağaza karar verir.',
  leaveAddress: 'Parayı geri almak isterseniz siparişinizin sayfasına bir iade adresi bırakabilirsiniz.',
  worth: 'Değer',
  why: shop => `Bu e-postayı, bu adres bir ${shop} siparişinde verildiği için aldınız.`,
}
