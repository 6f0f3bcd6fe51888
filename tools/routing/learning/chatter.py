"""Sentences that ask for nothing a catalogue holds, so that none of these is learnt."""

CHATTER: tuple[str, ...] = tuple(
    line.strip()
    for line in """
    hello there
    good morning everyone
    how are you today
    thanks a lot, that was helpful
    you are welcome
    see you tomorrow
    what is your name
    who made you
    are you a robot
    tell me a joke
    sing me a song
    what is the meaning of life
    what's the weather like in Lisbon
    will it rain tomorrow
    who won the football match last night
    what is the capital of Australia
    how tall is the Eiffel tower
    who wrote War and Peace
    translate good evening into Spanish
    how do you say thank you in Japanese
    what is twelve times fourteen
    what's the square root of eighty one
    convert ten miles to kilometres
    what time is it in Tokyo
    set an alarm for seven
    set a timer for ten minutes
    play some jazz
    turn up the volume
    skip this song
    turn off the lights in the kitchen
    call my mother
    text Anna that I am late
    book a table for two at eight
    order a pizza with mushrooms
    find me a cheap flight to Rome
    how far is it to the airport
    what's the traffic like on the way home
    give me directions to the museum
    recommend a good film for tonight
    what should I cook for dinner
    how many calories are in a banana
    is chocolate bad for dogs
    how do I bake sourdough bread
    what does serendipity mean
    spell necessary
    give me a synonym for happy
    write a poem about autumn
    write an essay on climate change
    tell me a bedtime story
    what happened in the news today
    what are the share prices doing
    how much is a dollar in yen
    transfer fifty euros to Peter
    what is the balance of my account
    I lost my credit card
    when is my birthday
    what day is it
    how old is the universe
    why is the sky blue
    do fish sleep
    who is the president of France
    do you like music
    what's your favourite colour
    can you drive a car
    I am bored
    I feel sad today
    I love you
    my dog ate my homework
    the cat is asleep on the sofa
    it is lovely outside
    I had pasta for lunch
    we went to the beach on Sunday
    my brother is getting married
    nothing much
    never mind
    okay
    maybe later
    that's interesting
    I don't think so
    are you sure about that
    what do you mean
    say that again please
    I did not understand you
    how does a telephone work
    explain quantum physics to a child
    who would win, a bear or a shark
    what is the best phone to buy
    compare these two laptops
    reset my password
    my internet is slow
    install the latest update on my phone
    how do I learn to swim
    give me tips for a job interview
    plan a trip to Norway
    what size shoes does he wear
    is the supermarket open on Sunday
    where can I buy stamps
    how long do eggs take to boil
    tell me something about penguins
    flip a coin
    pick a number between one and ten
    asdf qwer zxcv
    lorem ipsum dolor sit amet
    blah blah blah
    """.strip().splitlines()
)
