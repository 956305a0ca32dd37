import type { Texts } from '../types.ts'

export const home: Texts['home'] = {
  title: '결제 서비스: Florin',
  what: '이 서버는 온라인 상점의 결제를 받습니다.',
  buyers: '결제하러 오셨나요? 상점에서 받은 링크를 여세요.',
  developers: '이 서버나 상점을 운영하시나요? API 문서에서 주문을 만드는 방법을 볼 수 있습니다.',
  sandbox:
    '테스트 환경입니다. 사용해 보려면 주문을 만들고 결제 페이지를 여세요. 테스트 카드와 테스트 ' +
    '코인으로 결제할 수 있습니다.',
  reference: 'API 문서',
}
