declare module 'virtual:common-icons' {
  const icons: Record<string, [tag: string, attributes: Record<string, string>][]>;
  export default icons;
}
