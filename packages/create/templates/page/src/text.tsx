/** Markdown as elements: without HTML, and without images, whose addresses can send data of the page to another server. */
import { memo } from 'react'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import remend from 'remend'

export const Text = memo(({ text }: { text: string }) => (
  <div className="text">
    <Markdown remarkPlugins={[remarkGfm]} disallowedElements={['img']} components={{ a: Link, table: Table }}>
      {remend(text)}
    </Markdown>
  </div>
))

function Link({ href, children }: React.ComponentProps<'a'>) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

/** A wide table scrolls, also by keyboard. */
function Table({ children }: React.ComponentProps<'table'>) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
  return <table tabIndex={0}>{children}</table>
}
