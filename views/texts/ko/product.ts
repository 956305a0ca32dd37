import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: '강조 표시된 항목을 수정하세요.',
  email: '이메일',
  name: '이름',
  optional: '(선택 사항)',
  price: '결제할 가격',
  amount: '금액',
  currency: '통화',
  howToPay: '어떻게 결제하시겠어요?',
  continue: '결제 계속하기',
  errors: {
    email: '이메일 주소를 입력하세요. 예: sam@example.com',
    fullName: '이름을 128자 이내로 입력하세요.',
    paymentMethodKey: '결제 방법을 선택하세요.',
    amount: example => `0보다 큰 금액을 숫자로 입력하세요. 예: ${example}`,
    amountIn: (currency, example) => `0보다 큰 ${currency} 금액을 숫자로 입력하세요. 예: ${example}`,
    amountWithoutDecimals: (currency, example) =>
      `0보다 큰 ${currency} 금액을 소수점 없이 숫자로 입력하세요. 예: ${example}`,
    currency: '통화를 선택하세요.',
    tooLittle: '이 금액에는 이 결제 방법을 이용할 수 없습니다. 다른 방법이나 금액을 선택하세요.',
  },
}
