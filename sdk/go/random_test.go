package judgebot_test

import (
	"reflect"
	"testing"

	"judgebot"
)

// The golden values of judge/docs/determinism.md, which all kits share.

func TestFirstNumbersAreThoseOfTheReferee(t *testing.T) {
	random := judgebot.NewRandom(0, 0)
	for _, expected := range []uint32{3234325189, 1963755818, 1465678534} {
		if found := random.Next(); found != expected {
			t.Errorf("found %d, expected %d", found, expected)
		}
	}
}

func TestShuffleIsThatOfTheReferee(t *testing.T) {
	numbers := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	judgebot.Shuffle(judgebot.NewRandom(2022, 0), numbers)
	if expected := []int{8, 3, 5, 6, 0, 7, 9, 4, 1, 2}; !reflect.DeepEqual(numbers, expected) {
		t.Error(numbers)
	}
}

func TestLargeSeedsAndStreamsAreUsedWhole(t *testing.T) {
	random := judgebot.NewRandom(1<<53-1, 12)
	if one, two := random.Next(), random.Next(); one != 3946898693 || two != 4189263495 {
		t.Error(one, two)
	}
}

func TestNumbersStayBelowTheirBoundAndDiffer(t *testing.T) {
	random, seen := judgebot.NewRandom(7, 0), make(map[int]bool)
	for drawn := 0; drawn < 1000; drawn++ {
		seen[random.Below(6)] = true
	}
	if !reflect.DeepEqual(seen, map[int]bool{0: true, 1: true, 2: true, 3: true, 4: true, 5: true}) {
		t.Error(seen)
	}
}
