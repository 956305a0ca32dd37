import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `${shop} 주문`,
  opened: '이 주문의 결제를 시작하셨습니다. 아래 링크로 돌아올 수 있습니다.',
  paid: shop => `${shop}에서 결제 금액을 받았습니다. 감사합니다.`,
  ignore: '이 주문을 하지 않으셨다면 이 메일을 무시하셔도 됩니다.',
}
