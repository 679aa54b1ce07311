import { describe, expect, test } from 'vitest'
import { acceptedForms } from '../../../src/data-plane/gateway/lists/answer-whole-list.ts'

describe('RFC 9110 section 12.5.3: the codings that a client accepts, the preferred one first', () => {
  test.each<[string | undefined, string]>([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip identity'],
    ['GZip', 'gzip identity'],
    ['x-gzip', 'gzip identity'],
    ['compress, gzip', 'gzip identity'],
    ['br', 'br identity'],
    ['deflate', 'identity'],
    ['gzip, br', 'br gzip identity'],
    ['gzip;q=0.8, br;q=0.8', 'br gzip identity'],
    ['br;q=0.7, gzip;q=0.8', 'gzip br identity'],
    ['gzip ; q=0.5 , br;q=0.001', 'gzip br identity'],
    ['gzip;Q=0.5', 'gzip identity'],
    ['gzip;q=1.000', 'gzip identity'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0.000, br', 'br identity'],
    ['identity', 'identity'],
    ['identity, gzip;q=0.5', 'identity gzip'],
    ['identity;q=0.5, gzip;q=0.4', 'identity gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['*', 'br gzip identity'],
    ['*;q=0.5, gzip', 'gzip br identity'],
    ['*, br;q=0', 'gzip identity'],
    ['*;q=0, gzip', 'gzip'],
    ['*;q=0, identity;q=0.1', 'identity'],
    ['*;q=0', 'identity'],
    ['identity;q=0', 'identity'],
    ['identity;q=0, *;q=0', 'identity'],
    // An element with an invalid weight is ignored.
    ['gzip;q=1.5', 'identity'],
    ['gzip;q=-1, br', 'br identity'],
    ['gzip;q=', 'identity'],
    ['gzip;level=9', 'identity'],
    [', ,gzip,', 'gzip identity'],
  ])('%j', (header, forms) => {
    expect(acceptedForms(header).join(' ')).toBe(forms)
  })
})
