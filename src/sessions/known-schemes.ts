/**
 * Schemes of one word that systems, browsers and widespread programs handle: an address with one of them opens a
 * program, a share, a call or a dialogue instead of the application's own app. From the IANA registry of URI schemes
 * (those of one word, 2026-11) and the handlers that Windows, macOS, iOS, Android and browsers register.
 */
export const KNOWN_SCHEMES: ReadonlySet<string> = new Set(
  `aaa aaas about acap acct acd acr acrobat addressbook adiumxtra adt afp afs aim amss android appdata
    applescript apt aw barion bb beshare bingmaps bingnews bingweather bitcoin bitcoincash blob blockfi
    bluetooth bolo brid browserext cabal calculator callto calshow cap cast casts chrome cid cifs cmd coap coaps
    cockroachdb contact contacts content crid cstr cvs dab dat data dav dhttp diaspora dict did dis dns dntp doi
    dpp drm dtmi dtn dvb dvx dweb ed2k edge eid elsi embedded ens esim ethereum excel explorer facetime
    facetimeaudio fax fb feed feedready fido file filesystem finger firefox fish fm ftp fuchsia geo gg git
    github gitoid gizmoproject googlechrome gopher graph grd gtalk h323 ham hcap hcp hcpx help http httpx hyper
    iax ical icap ilstring im imap imaps info infopath instagram intent iotdisco ipfs ipn ipns ipp ipps irc irc6
    ircs iris isostore itms itmss itunes itunesradio jabber jar javascript jms keyparc lastfm lbry ldap ldapi
    ldaps leaptofrogans lid livescript livestream lorawan lpa lvlt machineprovisioningprogressreporter magnet
    mailbox mailserver mailto maps market mathlib matrix mctp media mediaserver message messenger metamask mhtml
    microphone microsoft mk mms mobilenotes mocha modem mongodb moz mpm mqtt mqtts ms msnim msnplus mss msteams
    mtqp mumble mupdate music musics mvn mvrp mvrps netsh news nfs ni nih nntp notes nwfs ocf oid onedrive
    onenote onenotecmd opaquelocktoken openid openpgp4fpr orpheus otpauth outlook palm paparazzi payto photos
    photosredirect pkcs11 pop pop3 pops powerpoint powershell prospero proxy psyc pttp publisher pwid qb query
    quic rdp redis rediss reload res resource rmi rsync rtmfp rtmp rtsp rtsps rtspu scp search secondlife
    settings sftp sgn sharepoint shc shell shelter shortcuts shttp sieve simpleledger simplex sip sips skype
    slack smb smb2 smp sms smtp smtps snews snmp soldat spiffe spotify ssb ssh starknet steam stun stuns submit
    svn swh swid swidpath taler tasks teams teamspeak teapot tel telegram teliaeid telnet telprompt testdata
    tftp tg things thismessage thunderbird tip tn3270 trojan turn turns tv twitter udp unreal upt urn ut2004
    uuid vbscript vemmi ventrilo ves viber videoplayer videos visio vlc vnc vscode vsls w3 wais wcr webcal
    whatsapp wifi windows wmi word wpid ws wsd wss wtai wyciwyg xbox xcode xcon xfire xftp xmpp xrcp xri ymsgr
    youtube z39 zoommtg zoomphonecall zoomus`
    .trim()
    .split(/\s+/),
);
