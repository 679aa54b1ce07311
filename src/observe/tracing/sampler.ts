import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'

/** Which traces are recorded, by the names of OpenTelemetry's environment variables. */
export interface Sampling {
  readonly sampler:
    | 'always_on'
    | 'always_off'
    | 'traceidratio'
    | 'parentbased_always_on'
    | 'parentbased_always_off'
    | 'parentbased_traceidratio'
  /** The share of traces, of the samplers that take one: 0 to 1. */
  readonly ratio: number
}

/** A sampler that is based on the parent does as the caller's `traceparent` says, and decides only where there is none. */
export function samplerOf({ sampler, ratio }: Sampling): Sampler {
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }
  const root = roots[sampler.replace('parentbased_', '') as keyof typeof roots]()
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}
