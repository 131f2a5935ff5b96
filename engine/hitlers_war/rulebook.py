"""The rulebooks of the scenarios: Barbarossa on land, the sea for the Fall of Germany, politics for Campaign I.

Each is the one before it with functions put in. What a function does is told where it stands.
"""

from functools import cache

from msgspec.structs import replace

from engine.game import Options
from engine.grand_strategy.board import BY_LAND, FOR_RETREAT
from engine.grand_strategy.conditions import fatigue, into_mountains
from engine.grand_strategy.containers import army_of
from engine.grand_strategy.language import reading
from engine.grand_strategy.language.names import Vocabulary
from engine.grand_strategy.politics.nations import (
    closed_for_the_war,
    closed_in_politics,
    closed_to_everybody,
    open_to_everybody,
    open_when_declared,
)
from engine.grand_strategy.politics.neutrals import declare_violations, note_violation
from engine.grand_strategy.politics.notes import idle_declarations
from engine.grand_strategy.rulebook import Rulebook, Setting
from engine.grand_strategy.rules.combat import announce
from engine.grand_strategy.rules.forts import FORT
from engine.grand_strategy.rules.production import for_other_fronts
from engine.grand_strategy.sea.invasion import announce_invasions, landing_assaults, landing_defence, landings
from engine.grand_strategy.sea.naval_fire import coastal_air, naval_fire
from engine.grand_strategy.turn import ON_LAND, before_production, end_player_turn, with_phases
from engine.grand_strategy.units import units_of
from engine.grand_strategy.victory import all_taken, held_out, would_take_all
from engine.hitlers_war.berlin import (
    berlin_taken,
    time_runs_out,
    would_take_berlin,
)
from engine.hitlers_war.europe import europe
from engine.hitlers_war.french_points import (
    french_points_out_of_use,
    no_french_points_to_choose,
    put_french_points_out_of_use,
)
from engine.hitlers_war.fronts import (
    at_peace,
    axis_places_without_supply,
    enemies_in_europe,
    foes_in_europe,
    is_gray,
    soviets_or_allies,
)
from engine.hitlers_war.growth import growing_places
from engine.hitlers_war.language.parts import LAND, POLITICS, SEA
from engine.hitlers_war.language.words import language_of
from engine.hitlers_war.politics.cooperation import Promised, lend, lent, take_lend_lease
from engine.hitlers_war.politics.cooperation import drafted as lend_lease_drafted
from engine.hitlers_war.politics.entry import enter_at_the_start, enter_before_production
from engine.hitlers_war.politics.foreign_affairs import countries_outside, politics_table
from engine.hitlers_war.politics.gifts import drafted as gift_drafted
from engine.hitlers_war.politics.gifts import receive_gift
from engine.hitlers_war.politics.limits import (
    french_points_for_the_axis,
    held_in_france,
    india_cut_off,
    no_french_forts_yet,
    not_yet_mobilized,
)
from engine.hitlers_war.politics.mobilization import check_mobilization, note_attack_for_mobilization
from engine.hitlers_war.politics.notes import limited_war, unanswered_terms
from engine.hitlers_war.politics.standing import notes_on_standing_orders
from engine.hitlers_war.politics.surrender import (
    answer_terms,
    falls_with_its_capital,
    germany_surrenders,
    join_or_surrender,
    refuse_answers_in_vain,
    surrender_with_capital,
    terms_are_offered,
    terms_wait_for_an_answer,
)
from engine.hitlers_war.reasons import REASONS
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.sea.mediterranean import by_italy
from engine.hitlers_war.tables import tables
from engine.hitlers_war.winter import note_winter, russian_winter, russian_winter_ahead, winter_passes
from engine.phase import Phase

BARBAROSSA = Rulebook(
    units=units_of("inf", "mech"),
    containers={"army": army_of("inf", "mech")},
    turn=ON_LAND,
    end_of_turn=end_player_turn,
    set_up=(french_points_out_of_use,),
    beginning=(put_french_points_out_of_use,),
    announcements=(announce,),
    season_passes=(winter_passes,),
    noted_of_armies=(note_winter,),
    enemies=enemies_in_europe,
    foes=foes_in_europe,
    closed_for_good=is_gray,
    at_peace=at_peace,
    unaligned=closed_for_the_war,
    closed=closed_for_the_war,
    attack_over=BY_LAND,  # over a crossing, too
    fire_modifiers=(russian_winter,),
    advance_modifiers=(fatigue, into_mountains, russian_winter_ahead),
    tied_heir=soviets_or_allies,
    cut_off_from_the_start=axis_places_without_supply,
    growing=growing_places,
    deductions=(for_other_fronts,),
    won_at_once=all_taken,
    won_at_the_end=held_out,
    would_end=would_take_all,
    language=language_of(LAND),
    told=REASONS,
)


def with_sea(book: Rulebook) -> Rulebook:
    """Sea transport and supply, landings, forts, a third side and lend-lease (HW-12 to HW-14, HW-16, HW-17)."""
    return replace(
        book,
        units=units_of("inf", "mech", "amph", "fort"),
        containers={**book.containers, "army": army_of("inf", "mech", "amph"), "fort": FORT},
        turn=with_phases(
            book.turn,
            "announcement",
            Phase("naval-fire", "Landings: naval fire", naval_fire),
            Phase("coastal-air", "Landings: coastal air", coastal_air),
            Phase("landing-defence", "Landings: defensive assaults", landing_defence),
            Phase("landing-assaults", "Landings: assaults", landing_assaults),
            Phase("landings", "Landings: advances", landings),
        ),
        set_up=(),
        beginning=(no_french_points_to_choose,),
        announcements=(*book.announcements, announce_invasions),
        unaligned=open_to_everybody,
        closed=closed_to_everybody,
        attack_over=FOR_RETREAT,  # over water there are landings
        by_water=lambda army, target: f"; over water: INVADE {army} {target}",
        cut_off_from_the_start=lambda _war: (),
        lent=lent,
        take_what_was_lent=take_lend_lease,
        paid_first=(lend,),
        notes_on_standing_orders=notes_on_standing_orders,
        giving=Promised,
        drafted=(lend_lease_drafted,),
        won_at_once=berlin_taken,
        won_at_the_end=time_runs_out,
        would_end=would_take_berlin,
        language=book.language.with_part(SEA),
        politics=countries_outside,
    )


def with_politics(book: Rulebook) -> Rulebook:
    """Countries that are attacked, take sides and surrender, and what they may do (HW-18 to HW-23)."""
    turn = with_phases(
        book.turn,
        "end-of-combat",
        Phase("terms", "Surrender terms", answer_terms, terms_wait_for_an_answer, terms_are_offered),
        Phase("entry", "Production: entry into the war", before_production),
    )
    return replace(
        book,
        turn=turn,
        calendar=(*book.calendar, enter_at_the_start),
        beginning=(refuse_answers_in_vain, *book.beginning),
        announcements=(declare_violations, *book.announcements),
        end_of_combat=(*book.end_of_combat, join_or_surrender, check_mobilization),
        before_production=(*book.before_production, enter_before_production),
        unaligned=open_when_declared,
        closed=closed_in_politics,
        attacked=(*book.attacked, note_violation, note_attack_for_mobilization),
        captured=(*book.captured, surrender_with_capital),
        joined=(receive_gift,),
        heard_midway=(declare_violations,),
        notes_on_the_opening=(idle_declarations, limited_war),
        notes_on_terms=unanswered_terms,
        drafted=(*book.drafted, gift_drafted),
        confined=held_in_france,
        limits_at_sea={"by Italy": by_italy},
        deductions=(*book.deductions, not_yet_mobilized, india_cut_off),
        repair_caps=(french_points_for_the_axis,),
        fort_bans=(no_french_forts_yet,),
        ended=(germany_surrenders,),
        falls_with=falls_with_its_capital,
        language=book.language.with_part(POLITICS),
        yields_told=lambda war: war.growing,
        politics=politics_table,
    )


FALL_OF_GERMANY = with_sea(BARBAROSSA)
CAMPAIGN_I = with_politics(FALL_OF_GERMANY)

#: By scenario.
RULEBOOKS = {"barbarossa": BARBAROSSA, "fall-of-germany": FALL_OF_GERMANY, "campaign-1": CAMPAIGN_I}


def rulebook_of(scenario: str, _options: Options) -> Rulebook:
    """The rules of a war, by its scenario, its edition and its options."""
    return RULEBOOKS.get(scenario, CAMPAIGN_I)


def setting_of(scenario: str, options: Options) -> Setting:
    """All that a war is played on and by."""
    return _setting(scenario, rulebook_of(scenario, options))


def vocabulary_for(side: str, sides: tuple[str, ...], scenario: str = "barbarossa") -> Vocabulary:
    """The names of one side in a war of these sides, on the whole map."""
    return reading.vocabulary_for(setting_of(scenario, Options()), side, sides)


@cache
def _setting(scenario: str, rules: Rulebook) -> Setting:
    return Setting(europe(), tables(), load_scenario(scenario), rules)
