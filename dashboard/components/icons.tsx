// Icons: 24 units, strokes of 1.75 units. Each stands next to a text with the same meaning.

const paths = {
  overview: 'M4 11.5 12 5l8 6.5M6 10v9h12v-9',
  approvals: 'M5 12.5 9.5 17 19 7.5',
  activities: 'M4 12h4l2.5-6 4 12 2.5-6h3',
  wallets:
    'M4 8.5A2.5 2.5 0 0 1 6.5 6H17v3M4 8.5V17a2 2 0 0 0 2 2h13a1 1 0 0 0 1-1v-8a1 1 0 0 0-1-1H6.5M16 14h.01',
  keys: 'M14.5 9.5a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM13.4 12.4 20 19M17.5 16.5 19 15',
  users: 'M15 9a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0ZM5 20a6.5 6.5 0 0 1 13 0',
  policies: 'M7 4h7l4 4v12H7zM14 4v4h4M10 13h5M10 16h5',
  webhooks: 'M9 8a3 3 0 1 1 4.6 2.5L16 15M15 16a3 3 0 1 1 .5 3H9M8 19a3 3 0 1 1-1-5l2.5-4',
  organizations: 'M12 4v5M5 20v-5h14v5M12 9v6M3.5 20h3M17.5 20h3M10.5 4h3',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4',
  api: 'm8 8-4 4 4 4M16 8l4 4-4 4M13.5 6l-3 12',
  inbox: 'M4 13 6.5 6h11L20 13v6H4zM4 13h5a3 3 0 0 0 6 0h5',
  secrets: 'M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5zM12 14.5v2',
  addresses:
    'M7 4h12v16H7zM4 8h3M4 12h3M4 16h3M15 9.5a2 2 0 1 1-4 0 2 2 0 0 1 4 0ZM10 16a3 3 0 0 1 6 0',
  menu: 'M4 7h16M4 12h16M4 17h16',
  search: 'M16 10.5a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0ZM15 15l5 5',
  account:
    'M15 9.5a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM6.5 18.5a6 6 0 0 1 11 0M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  copy: 'M9 9h10v10H9zM5 15V5h10',
  check: 'M5 12.5 9.5 17 19 7.5',
  warning: 'M12 4 2.8 19.5h18.4zM12 10v4.5M12 17.2v.01',
  cross: 'm6 6 12 12M18 6 6 18',
  passkey:
    'M12.5 8.5a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0ZM2.5 19a6.5 6.5 0 0 1 10.5-5M17.5 12.5a2.5 2.5 0 1 0-1 4.8V21l1.5-1.2-1-1.3 1-1.2v-.2a2.5 2.5 0 0 0-.5-4.6Z',
  plus: 'M12 5v14M5 12h14',
  pen: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  clock: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0ZM12 7v5l3.5 2',
} as const;

export type IconName = keyof typeof paths;

/** Shows a decorative icon. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** Shows the logo of the product. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M16.8 12.5a4.8 4.8 0 1 1-9.6 0 4.8 4.8 0 0 1 9.6 0ZM15.6 16.1l8 8M20 20.4l2.6-2.6" />
    </svg>
  );
}
