import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `您在 ${shop} 的訂單`,
  opened: '您已為此訂單開始付款。如果關閉了頁面，可透過下方連結返回。',
  paid: shop => `${shop} 已收到您的付款。謝謝。`,
  ignore: '如果您沒有下單，請忽略此郵件。',
}
