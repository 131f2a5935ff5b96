"""The showing half of Hitler's War: names, diary, record sheets, map, order form and pictures."""
