import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `${method}(으)로 결제`,
  waiting: method => `${method}을(를) 기다리는 중`,
  otherTab:
    '다른 탭에서 결제를 완료하세요. 결제하고 몇 분 뒤 이 페이지가 자동으로 업데이트됩니다. 결제한 ' +
    '후에는 이 페이지를 닫아도 됩니다. 주문은 결제 완료로 표시됩니다.',
  openAgain: method => `${method} 다시 열기`,
  unconfirmed: method => `${method}에서 아직 결제를 확인하지 않았습니다.`,
}
