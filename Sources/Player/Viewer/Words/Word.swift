/// A text of the window without values. Each table has a line for it, which the compiler checks.
package enum Word: Sendable, Hashable, CaseIterable {
  // Actions.
  case playOrPause, minuteForward, minuteBack, nextFrame, previousFrame, nextChapter, previousChapter, toStart, toEnd
  case goLive, slower, faster, normalSpeed, repeatClips, toggleShuffle, showPlaylist, goOn, setLoop
  case openFile, nextFile, previousFile, lookLeft, lookRight, lookUp, lookDown, rollLeft, rollRight, zoomIn, zoomOut
  case resetView, nextProjection, nextStereo, goggles, fitOrFill, toggleInertia, fullScreen, miniPlayer, statistics
  case toggleRemaining, toggleControls, listOfKeys, nextQuality, mute, louder, quieter, nextAudio, audioEarlier
  case audioLater, nextSubtitles, subtitlesEarlier, subtitlesLater, largerSubtitles, smallerSubtitles, largerText
  case smallerText, toggleContrast, screenshotOfView, screenshotOfFrame, leaveFullScreen, quit
  // The help's own rows.
  case jumps, focusNext, useControl
  // Controls and settings.
  case position, muteByWheel, volume, audio, speed, quality, subtitles, projection, stereoLayout, playlist
  case inertia, highContrast, shuffle, subtitleSize, textSize, audioDelay, subtitleDelay, abLoop
  // Values.
  case on, off, menuOff, auto, panel, unknown, you, badgeLive, badgeEnded, live, liveStream
  // Menus.
  case flat, equirectangular, halfEquirectangular, cubemap3x2, cubemap6x1, eac, fisheye, littlePlanet
  case repeatOff, repeatOne, repeatAll, onePicture, topBottom, sideBySide, bothEyes, projectionMenu
  // Names of tracks.
  case unknownLanguage, descriptive, forced, monoSound, stereoSound, ambisonic, ambisonicAndStereo
  // Notices.
  case fit, fill, onlyFlatClips, muted, noSound, oneAudioTrack, noSubtitles, onlyStreamsHaveQualities
  case liveAtNormalSpeed, notLive, cannotSeekLive, movedToEdge, movedToStart, networkIsBack, loadingGoesOn, buffering
  case noChapters, noFurtherChapter, theOnlyClipStays, recordingIsFull, nextUp
  // Ads, and breaks of streams.
  case skipAd, skipAdNow, notInAd, noAd, adStays, adNotYet, breakFirst, breakStays
  // Screens without a clip.
  case tagline, escCancels, recent, builtInClip, openAFile, fileOrURL, startHint, quitHint, makingBuiltIn
  case browserHint, firstScreen, name, size, date, listingFolder, noClips, open
  case checkingFile, readingHeader, lookingForStreams, startingDevice, startingDecoder
  // The panel of the playlist.
  case panelHint, cannotBePlayed, shuffled, repeatsOne, repeatsAll
  // Statistics.
  case noRung, trouble
}
