import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `طلبك لدى ${shop}`,
  opened: 'لقد بدأت عملية دفع لهذا الطلب. استخدم الرابط أدناه للعودة إليها.',
  paid: shop => `استلم ${shop} دفعتك. شكرًا لك.`,
  ignore: 'إذا لم تُقدّم هذا الطلب، فيمكنك تجاهل هذه الرسالة.',
}
