import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Ваш заказ в ${shop}`,
  opened: 'Вы начали оплату этого заказа. Чтобы вернуться к ней, используйте ссылку ниже.',
  paid: shop => `Магазин ${shop} получил ваш платёж. Спасибо.`,
  ignore: 'Если вы не оформляли этот заказ, просто проигнорируйте это письмо.',
}
