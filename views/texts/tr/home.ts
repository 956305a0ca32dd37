import type { Texts } from '../types.ts'

export const home: Texts['home'] = {
  title: 'Ödemeler Florin ile',
  what: 'Bu sunucu çevrimiçi mağazalar için ödeme alır.',
  buyers: 'Ödeme yapmak için mi geldiniz? Mağazanın verdiği bağlantıyı açın.',
  developers:
    'Bu sunucuyu veya bir mağazayı mı yönetiyorsunuz? API belgeleri nasıl sipariş oluşturulacağını gösterir.',
  sandbox:
    'Bu bir deneme ortamıdır: denemek için bir sipariş oluşturup ödeme sayfasını açın. Deneme ' +
    'kartları ve deneme paralarıyla ödeyebilirsiniz.',
  reference: 'API belgeleri',
}
