import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'

/** Which traces are recorded, in the terms of OpenTelemetry's environment variables. */
export interface Sampling {
  readonly sampler:
    | 'always_on'
    | 'always_off'
    | 'traceidratio'
    | 'parentbased_always_on'
    | 'parentbased_always_off'
    | 'parentbased_traceidratio'
  /** The share of traces that the `traceidratio` samplers record, 0 to 1. */
  readonly ratio: number
}

/** Makes the sampler. A parent-based one follows the caller's `traceparent` and decides only if there is none. */
export function samplerOf({ sampler, ratio }: Sampling): Sampler {
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }
  const root = roots[sampler.replace('parentbased_', '') as keyof typeof roots]()
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}
