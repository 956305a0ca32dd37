import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `${shop} siparişiniz`,
  opened: 'Bu sipariş için bir ödeme açtınız. Sayfayı kapatırsanız aşağıdaki bağlantı sizi geri götürür.',
  paid: shop => `${shop} ödemenizi aldı. Teşekkürler.`,
  ignore: 'Sipariş vermediyseniz bu e-postayı dikkate almayın.',
}
