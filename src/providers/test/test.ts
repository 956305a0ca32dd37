import { TEST_PROVIDER } from '../../domain/test-shop.ts'
import { InvalidProof, type Provider, ProviderError } from '../port.ts'

const noCallbacks = (): never => {
  throw new InvalidProof('test payments have no callbacks')
}

/**
 * Simulates payments of test orders. It never looks anything up, because the page of a test order reports
 * each payment when a person chooses its outcome.
 */
export const testProvider: Provider = {
  id: TEST_PROVIDER,
  callbackMethod: 'POST',
  acknowledgement: '',
  identify: noCallbacks,
  receive: noCallbacks,
  lookup: async () => [],
  charge: {
    methods: async () => [],
    credentialsError: () => 'must not be set: test payments need no account',
    open: async ({ attemptId, cancelUrl }) => ({
      url: `${cancelUrl}/test`,
      reference: `test_${attemptId}`,
      account: TEST_PROVIDER,
    }),
    close: async ({ charge, assetId }) => {
      if (!charge) throw new ProviderError('refused', 'only charges can be closed')
      const rest = { proof: 'signature', txIn: null, txOut: null, amount: '0', evidence: {} } as const
      return [{ status: 'expired', assetId, ...rest }]
    },
    refund: async ({ refundId, amount, currency }) => ({
      reference: `test_${refundId}`,
      ...{ kind: 'refund', status: 'succeeded', amount, currency, refundId },
    }),
  },
}
