import { Menu } from '@mantine/core';
import { Fragment, useEffect, useState } from 'react';
import { type Action, keysOf } from '../../../actions/registry.ts';
import type { MenuRequest } from '../../../canvas/menuRequest.ts';
import { selectedIds } from '../../../store/editor.ts';
import { Kbd } from '../../../ui/keys/Kbd.tsx';
import classes from '../editor.module.css';
import { menuLines, menuTitle } from './menuItems.ts';

interface CanvasMenuProps {
  request: MenuRequest;
  onClose: () => void;
  /** Close, and run a chosen action at the place of the menu: it may take the focus. */
  onChoose: (action: Action, at: MenuRequest['at']) => void;
}

/** The menu of a node, a wire, a frame or the canvas: the same actions as everywhere, with their keys. */
export function CanvasMenu({ request, onClose, onChoose }: CanvasMenuProps) {
  const [lines] = useState(() => menuLines(request.kind));
  const [title] = useState(() => menuTitle(request.kind));
  useEffect(() => {
    // before the canvas hears it, also where the menu has not got the focus yet
    const keys = (event: KeyboardEvent) => {
      if (event.key !== 'Tab') return;
      event.preventDefault();
      onClose();
    };
    window.addEventListener('keydown', keys, true);
    return () => window.removeEventListener('keydown', keys, true);
  }, [onClose]);
  return (
    <Menu
      opened
      onClose={onClose}
      closeOnItemClick={false}
      position="right-start"
      offset={2}
      middlewares={{ flip: { crossAxis: false }, shift: { padding: 8 } }}
      returnFocus={false}
      withInitialFocusPlaceholder={false}
      transitionProps={{ duration: 0 }}
      clickOutsideEvents={['mousedown', 'touchstart', 'wheel', 'keydown']}
      clickOutsideCapture
      width={248}
    >
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          aria-label={title}
          className={classes.menuSpot}
          style={{ left: request.at.x, top: request.at.y }}
        />
      </Menu.Target>
      <Menu.Dropdown
        className={classes.menu}
        onContextMenu={(event) => {
          event.preventDefault();
          event.stopPropagation();
        }}
      >
        {selectedIds().length > 1 ? <Menu.Label>{title}</Menu.Label> : null}
        {lines.map((group, index) => (
          <Fragment key={group[0]?.action.id}>
            {index > 0 ? <Menu.Divider role="separator" /> : null}
            {group.map(({ action, label, whyNot }, place) => {
              const shortcut = keysOf(action)[0];
              return (
                <Menu.Item
                  key={action.id}
                  data-autofocus={(request.byKey && index === 0 && place === 0) || undefined}
                  aria-disabled={whyNot !== null || undefined}
                  onClick={() => whyNot === null && onChoose(action, request.at)}
                  rightSection={
                    shortcut && whyNot === null ? (
                      <span className={classes.menuKeys} aria-hidden>
                        <Kbd keys={shortcut} />
                      </span>
                    ) : null
                  }
                >
                  {label}
                  {whyNot === null ? null : <small>{whyNot}</small>}
                </Menu.Item>
              );
            })}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
