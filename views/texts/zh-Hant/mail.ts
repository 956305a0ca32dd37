import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `您在 ${shop} 的訂單`,
  opened: '您已開始為此訂單付款。請使用下方連結返回付款頁面。',
  paid: shop => `${shop} 已收到您的付款。謝謝。`,
  ignore: '如果您沒有下此訂單，請忽略此郵件。',
}
