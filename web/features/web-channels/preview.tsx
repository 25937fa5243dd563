import { IconDeviceDesktop, IconDeviceMobile, IconMoon, IconSun, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { EmbedSetting } from '../../../shared/contracts/visitors.ts';
import type { WebChannel } from '../../../shared/contracts/web-channels.ts';
import { i18n, textsOf, useTranslation, type Locale } from '../../lib/i18n.ts';
import { useWorkspace } from '../../lib/session.ts';
import { Segments } from '../../ui/segments.tsx';
import { inkOn } from '../../ui/contrast.ts';
import { launcherIcons } from './launchers.ts';
import { LocaleSegments } from './locale-switch.tsx';
import classes from './preview.module.css';
import { ShopPage } from './shop-page.tsx';
import { frameOf } from './state.ts';

export type Device = 'desktop' | 'phone';
export type Scheme = 'light' | 'dark';

interface Props {
  channel: WebChannel;
  setting: EmbedSetting;
  domain: string | undefined;
  locale: Locale;
  /** Where it is not chosen elsewhere. */
  onLocale: ((locale: Locale) => void) | undefined;
  scheme: Scheme;
  /** Where the widget has no appearance of its own. */
  onScheme: ((scheme: Scheme) => void) | undefined;
}

/** The widget itself in a drawn shop, as the form has it now. */
export function Preview({ channel, setting, domain, locale, onLocale, scheme, onScheme }: Props) {
  const { t } = useTranslation('web-channels');
  const workspace = useWorkspace();
  const [device, setDevice] = useState<Device>(window.innerWidth < 992 ? 'phone' : 'desktop');
  const [isOpen, setIsOpen] = useState(true);
  const { position, offsetX, offsetY, width, height, launcher, color, colorDark } = setting.look;
  const isDark = setting.look.scheme === 'dark';
  const ground = isDark ? colorDark : color;
  const Icon = isOpen ? IconX : launcherIcons[launcher];
  const isPhone = device === 'phone';
  const side = position === 'left' ? 'left' : 'right';
  return (
    <div className={classes['preview']}>
      <div className={classes['tools']}>
        <Segments
          label={t('preview.device')}
          value={device}
          options={[
            { value: 'desktop', label: t('preview.desktop'), icon: <IconDeviceDesktop size={16} stroke={1.75} /> },
            { value: 'phone', label: t('preview.phone'), icon: <IconDeviceMobile size={16} stroke={1.75} /> },
          ]}
          onChange={setDevice}
        />
        {onScheme && (
          <Segments
            label={t('preview.scheme')}
            value={scheme}
            options={[
              { value: 'light', label: t('common:colorMode.light'), icon: <IconSun size={16} stroke={1.75} /> },
              { value: 'dark', label: t('common:colorMode.dark'), icon: <IconMoon size={16} stroke={1.75} /> },
            ]}
            onChange={onScheme}
          />
        )}
        {onLocale && <LocaleSegments locale={locale} onLocale={onLocale} />}
        <p className={classes['told']}>{t('preview.told')}</p>
      </div>
      <div className={classes['browser']} data-device={device} data-scheme={scheme}>
        <div className={classes['bar']} aria-hidden>
          <i />
          <i />
          <i />
          <span>{domain ?? example}</span>
        </div>
        <div className={classes['page']}>
          <Shop locale={locale} name={channel.name} />
          <div
            className={classes['panel']}
            data-open={isOpen || undefined}
            style={
              isPhone
                ? { inset: 0 }
                : {
                    [side]: offsetX,
                    bottom: offsetY + 68,
                    width: `min(${width}px, calc(100% - ${2 * offsetX}px))`,
                    height: `min(${height}px, calc(100% - ${offsetY + 84}px))`,
                  }
            }
          >
            <Frame
              src={`${frameOf(channel)}&${new URLSearchParams({
                preview: '1',
                mode: 'bubble',
                language: locale,
                origin: window.location.origin,
                ...(workspace && { workspace: workspace.uuid }),
              })}`}
              setting={setting}
              isOpen={isOpen}
              page={`https://${domain ?? example}/`}
              title={t('preview.title')}
              onClose={() => setIsOpen(false)}
            />
          </div>
          {!(isPhone && isOpen) && (
            <button
              type="button"
              className={classes['launcher']}
              style={{ [side]: offsetX, bottom: offsetY, background: ground, color: inkOn(ground).ink }}
              aria-label={t(isOpen ? 'preview.close' : 'preview.open')}
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            >
              <Icon size={24} stroke={1.75} aria-hidden />
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

const example = 'shop.example.com';

interface FrameProps {
  src: string;
  setting: EmbedSetting;
  isOpen: boolean;
  page: string;
  title: string;
  onClose(): void;
}

/** The frame of the widget; to it this page is the site that shows it, which besides knows what is not saved yet. */
function Frame({ src, setting, isOpen, page, title, onClose }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const tell = (message: object) => frame.current?.contentWindow?.postMessage(message, window.location.origin);
  const sendSetting = useEffectEvent(() => tell({ kotae: 'setting', setting }));
  const sendPlace = useEffectEvent((kotae: 'init' | 'shown') => tell({ kotae, isOpen, page }));
  useEffect(() => void sendSetting(), [setting]);
  useEffect(() => void sendPlace('shown'), [isOpen]);
  const hear = useEffectEvent(({ source, origin, data }: MessageEvent) => {
    if (source !== frame.current?.contentWindow || origin !== window.location.origin) return;
    if (data?.kotae === 'hello') sendPlace('init');
    // It fetches its texts before it draws, and hears of settings only then.
    else if (data?.kotae === 'drawn') sendSetting();
    else if (data?.kotae === 'close') onClose();
  });
  useEffect(() => {
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }, []);
  return (
    <iframe
      // Another address is another conversation.
      key={src}
      ref={frame}
      src={src}
      title={title}
      // It is our own page with what it needs as elsewhere; what it may not is to lead this page away.
      // oxlint-disable-next-line react/iframe-missing-sandbox
      sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads"
    />
  );
}

/** The drawn page speaks the language that the preview is in, which need not be that of the screen. */
function Shop({ locale, name }: { locale: Locale; name: string }) {
  const texts = useQuery({
    queryKey: ['shop-texts', locale],
    queryFn: async () => {
      i18n.addResourceBundle(locale, 'web-channels', await textsOf(locale, 'web-channels'));
      return true;
    },
    staleTime: Infinity,
  });
  return texts.data ? <ShopPage locale={locale} name={name} /> : null;
}
