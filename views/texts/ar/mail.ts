import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `طلبك لدى ${shop}`,
  opened: 'لقد بدأت عملية دفع لهذا الطلب. إذا أغلقت الصفحة، فسيعيدك الرابط أدناه إليها.',
  paid: shop => `استلم ${shop} دفعتك. شكرًا لك.`,
  ignore: 'إذا لم تطلب شيئًا، فيمكنك تجاهل هذه الرسالة.',
}
