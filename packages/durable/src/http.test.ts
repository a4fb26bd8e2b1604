import { describe, expect, it, vi } from 'vitest'
import { checkFiles, linesResponse } from './http.ts'

const check = (url: string) => () =>
  checkFiles('input', [
    { type: 'text', text: 'Look:' },
    { type: 'file', file: { url, media_type: 'application/pdf' } },
  ])

describe('checkFiles', () => {
  it.each([
    'data:text/plain,a',
    'DATA:text/plain;base64,AA==',
    'https://a.example/b.png',
    'HTTPS://A.EXAMPLE/b.png?c=d',
    'https://8.8.8.8/a',
    'https://172.15.0.1/',
    'https://172.32.0.1/',
    'https://100.63.255.255/',
    'https://192.0.78.1/',
    'https://[2606:4700::1111]/',
    'https://internal.example/',
    'https://user@a.example:8443/',
  ])('allows %s', (url) => {
    expect(check(url)).not.toThrow()
  })

  it.each([
    'http://a.example/b.png',
    'file:///etc/passwd',
    'ftp://a.example/',
    'blob:https://a.example/1',
    'gs://bucket/a',
    '/etc/passwd',
    '',
    'https://',
    // Loopback, private and link-local addresses, in any notation.
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.0.0.1./',
    'https://１２７.0.0.1/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https:\\\\127.0.0.1\\a',
    'https:/10.0.0.1',
    ' https://10.255.255.255/',
    'https://user@10.0.0.1/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0.0.0.0/',
    'https://100.64.0.1/',
    'https://198.18.0.1/',
    'https://192.0.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::1]/',
    'https://[::]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001::1]/',
    'https://[2001:db8::1]/',
    'https://[2::1]/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'https://[fc00::1]/',
    'https://[ff02::1]/',
    // Names that only a network of its own resolves.
    'https://localhost/',
    'https://LOCALHOST./',
    'https://app.localhost/',
    'https://intranet/',
    'https://intranet./',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://router.home.arpa/',
  ])('refuses %s', (url) => {
    expect(check(url)).toThrow(
      expect.objectContaining({
        code: 'model_validation',
        message: expect.stringMatching(/^input\[1\]: the address of a file is not allowed/),
      }),
    )
  })

  it('asks a function instead', () => {
    const content = [{ type: 'image_url', image_url: { url: 'https://intranet/a.png' } }]
    checkFiles('input', content, ({ url, mediaType }) => url === 'https://intranet/a.png' && mediaType === 'image/*')
    expect(() => checkFiles('input', content, () => false)).toThrow('input[0]')
  })
})

describe('linesResponse', () => {
  it('sends a comment every 15 seconds, because proxies end connections that are silent', async () => {
    vi.useFakeTimers()
    try {
      const lines = async function* () {
        yield 'data: 1\n\n'
        await new Promise((resolve) => setTimeout(resolve, 40_000))
        yield 'data: 2\n\n'
        await new Promise(() => {})
      }
      const read = async (headers?: Record<string, string>) => {
        let text = ''
        const reader = linesResponse(lines(), headers).body!.getReader()
        const reading = (async () => {
          for (let next = await reader.read(); !next.done; next = await reader.read())
            text += new TextDecoder().decode(next.value)
        })()
        await vi.advanceTimersByTimeAsync(50_000)
        void reader.cancel()
        await reading
        await vi.advanceTimersByTimeAsync(15_000)
        expect(vi.getTimerCount()).toBe(0)
        return text
      }
      expect(await read()).toBe('data: 1\n\n:\n:\ndata: 2\n\n:\n')
      expect(await read({ 'content-type': 'text/plain' })).toBe('data: 1\n\ndata: 2\n\n')
    } finally {
      vi.useRealTimers()
    }
  })
})
