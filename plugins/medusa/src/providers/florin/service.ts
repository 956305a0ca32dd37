import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types'
import { AbstractPaymentProvider, MedusaError, PaymentActions } from '@medusajs/framework/utils'
import { FlorinError } from '../../florin/client.ts'
import { checkOptions, clientOf, type FlorinOptions } from '../../options.ts'
import { PaymentError, Payments } from '../../payments.ts'
import { sessionIdOf } from '../../settle.ts'
import { eventOf } from '../../webhook.ts'

/** Throws refusals as errors of Medusa, whose messages reach people. */
async function asMedusa<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof PaymentError) throw new MedusaError(error.type, error.message)
    if (error instanceof FlorinError)
      throw new MedusaError(MedusaError.Types.UNEXPECTED_STATE, `Florin: ${error.message}`)
    throw error
  }
}

/** The part of Medusa's payment module that the provider needs. */
interface PaymentModule {
  refundService: { list(filters: { id: string[] }): Promise<unknown[]> }
}

/** Payments through Florin: each payment session is an order there, which the buyer pays on its page. */
export class FlorinProvider extends AbstractPaymentProvider<FlorinOptions> {
  static override identifier = 'florin'

  static override validateOptions(options: Partial<FlorinOptions>): void {
    checkOptions(options)
  }

  readonly #payments: Payments
  readonly #options: FlorinOptions
  readonly #module: PaymentModule

  constructor(container: Record<string, unknown>, options: FlorinOptions) {
    super(container, options)
    this.#options = options
    this.#module = container as unknown as PaymentModule
    this.#payments = new Payments(clientOf(options), options)
  }

  override async initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const key = input.context?.idempotency_key ?? String(input.data?.session_id)
    const data = await asMedusa(this.#payments.open(input, input.data, input.context?.customer, key))
    return { id: data.orderUUID, data }
  }

  override async updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    return { data: await asMedusa(this.#payments.change(input, input.data, input.context?.customer)) }
  }

  override async deletePayment({ data }: DeletePaymentInput): Promise<DeletePaymentOutput> {
    return { data: await asMedusa(this.#payments.end(data)) }
  }

  override async cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    return { data: await asMedusa(this.#payments.end(data)) }
  }

  override authorizePayment({ data }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    return asMedusa(this.#payments.read(data))
  }

  override getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return asMedusa(this.#payments.read(data))
  }

  /**
   * Checks that the payment has arrived. Nothing else is left to do: an order is paid once the money is
   * there.
   */
  override async capturePayment({ data }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const read = await asMedusa(this.#payments.read(data))
    if (read.status === 'captured') return { data: read.data }
    throw new MedusaError(MedusaError.Types.NOT_ALLOWED, 'This payment has not arrived in Florin.')
  }

  override async refundPayment(input: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const key = input.context?.idempotency_key ?? crypto.randomUUID()
    const isInMedusa = async (id: string) => (await this.#module.refundService.list({ id: [id] })).length > 0
    return { data: await asMedusa(this.#payments.refund(input.amount, input.data, key, isInMedusa)) }
  }

  override async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return { data: (await asMedusa(this.#payments.read(data))).data }
  }

  /** Handles events on Medusa's own route, /hooks/payment/florin_florin. The route /hooks/florin is safer. */
  override async getWebhookActionAndData(
    payload: ProviderWebhookPayload['payload'],
  ): Promise<WebhookActionResult> {
    const event = await eventOf(payload, this.#options.webhookSecret)
    if (!event) throw new MedusaError(MedusaError.Types.UNAUTHORIZED, 'This request is not signed by Florin.')
    const session = event.type === 'order.paid' ? sessionIdOf(event) : null
    if (session === null) return { action: PaymentActions.NOT_SUPPORTED }
    return { action: PaymentActions.SUCCESSFUL, data: { session_id: session, amount: event.amount } as never }
  }
}
