-- Tells mpv's rate: from the first picture shown to the end of the clip, in which it shows all frames but the first.
local started
mp.register_event("playback-restart", function()
  started = started or mp.get_time()
end)
mp.observe_property("eof-reached", "bool", function(_, is_over)
  if not is_over or not started then return end
  print(string.format("seconds=%.6f frames=%d dropped=%d", mp.get_time() - started,
    mp.get_property_number("estimated-frame-number"),
    mp.get_property_number("frame-drop-count") + mp.get_property_number("decoder-frame-drop-count")))
  mp.command("quit")
end)
