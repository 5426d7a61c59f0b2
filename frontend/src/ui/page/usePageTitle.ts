import { useEffect } from 'react';

const PRODUCT = 'Graphwright';

/** Names the page in the browser's tab and for screen readers, while it is there. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT}` : PRODUCT;
    return () => {
      document.title = PRODUCT;
    };
  }, [title]);
}
