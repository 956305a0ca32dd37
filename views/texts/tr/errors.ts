import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const errors: Texts['errors'] = {
  titles: {
    notFound: 'Sayfa bulunamadı',
    notPossible: 'Bu mümkün değil',
    notAvailable: 'Kullanılamıyor',
    tooMany: 'Çok fazla istek',
    providerAway: 'Ödeme sağlayıcısı yanıt vermiyor',
    other: 'Bir sorun oluştu',
  },
  titled: title => `Hata: ${title}`,
  notSold: shop => `${shop} artık bu ürünü satmıyor.`,
  shopClosed: 'Bu mağaza şu anda ödeme almıyor. Ödediyseniz sipariş numaranızla mağazayla iletişime geçin.',
  checkLink: 'Bağlantıyı kontrol edin veya mağazadan yenisini isteyin.',
  backToPayment: 'Ödemeye dön',
  requestId: 'İstek numarası',
  waitMinute: 'Lütfen bir dakika bekleyip tekrar deneyin.',
  wait: seconds =>
    plural('tr', seconds, {
      one: `Çok fazla istek. Lütfen ${seconds} saniye sonra tekrar deneyin.`,
      other: `Çok fazla istek. Lütfen ${seconds} saniye sonra tekrar deneyin.`,
    }),
  shopCannot:
    'Mağaza şu anda bu siparişi kabul edemiyor. Daha sonra tekrar deneyin veya mağazayla iletişime geçin.',
  byCode: {
    validation_error: 'Bu bağlantı veya form geçersiz. Geri dönün veya mağazadan yeni bir bağlantı isteyin.',
    not_found: 'Bu adreste bir sayfa yok.',
    order_not_payable: 'Bu sipariş artık ödenemez. Mağazaya dönüp yeniden sipariş verin.',
    method_not_offered: 'Bu ödeme yöntemi kullanılamıyor. Başka bir yöntem seçin.',
    product_not_available: 'Bu ürün mevcut değil. Mağazaya dönüp başka bir ürün seçin.',
    internal_error:
      'Lütfen tekrar deneyin. Sorun sürerse aşağıdaki istek numarasıyla mağazayla iletişime geçin.',
    provider_unavailable: 'Lütfen birkaç dakika sonra tekrar deneyin.',
  },
  byReason: {
    order_unknown: 'Böyle bir sipariş yok.',
    product_unknown: 'Böyle bir ürün yok.',
    order_paid: 'Bu sipariş zaten ödendi.',
    order_cancelled: 'Bu sipariş iptal edildi.',
    order_expired: 'Bu siparişin süresi doldu. Mağazaya dönüp yeniden sipariş verin.',
    order_failed: 'Bu siparişin ödemesi başarısız oldu. Mağazaya dönüp yeniden sipariş verin.',
    coin_not_offered: 'Bu kripto para şu anda bu sipariş için kullanılamıyor. Başka bir yöntem seçin.',
    coin_unsupported: 'Bu kripto para artık desteklenmiyor. Mağazayla iletişime geçin.',
    nothing_to_refund:
      'İade edilecek bir şey yok. Bunun bir hata olduğunu düşünüyorsanız mağazayla iletişime geçin.',
    address_saved: 'Bir iade adresi zaten kayıtlı. Değiştirmek için mağazayla iletişime geçin.',
    private_key: 'Bu bir özel anahtara benziyor. Onu asla paylaşmayın. Bunun yerine bir adres girin.',
    payment_address: 'Bu, ödeme yaptığınız adres. Kendi cüzdanınızdan bir adres girin.',
    payments_open:
      'Bu sipariş için on ödeme açtınız. Bunlardan birini ödeyin veya 30 dakika sonra tekrar deneyin.',
    changed: 'Bu sayfa güncel değildi. Sayfayı yenileyip tekrar deneyin.',
  },
  notAnAddress: network => `Bu, ${network} üzerinde bir adres değil. Cüzdanınızdan tekrar kopyalayın.`,
}
