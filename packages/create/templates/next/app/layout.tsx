import type { Metadata, Viewport } from 'next'
import { texts } from '../src/texts.ts'

export const metadata: Metadata = { title: texts.name, description: texts.about, icons: 'data:,' }
export const viewport: Viewport = { colorScheme: 'light dark' }

export default function Layout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
