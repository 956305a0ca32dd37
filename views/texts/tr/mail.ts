import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `${shop} siparişiniz`,
  opened: 'Bu siparişi ödemeye başladınız. Ödemeye geri dönmek için aşağıdaki bağlantıyı kullanın.',
  paid: shop => `${shop} ödemenizi aldı. Teşekkürler.`,
  ignore: 'Bu siparişi siz vermediyseniz bu e-postayı dikkate almayın.',
}
