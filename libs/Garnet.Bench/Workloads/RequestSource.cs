// What a thread fills templates with. One thread.
using Garnet.Bench.Options;

namespace Garnet.Bench.Workloads;

/// <summary>Numbers and values, and what was chosen for the request that is being written.</summary>
internal sealed class RequestSource
{
    private readonly KeyOptions _keys;
    private readonly long[] _shared = new long[TemplateArgument.SharedCount];
    private readonly long[] _counters = new long[TemplateArgument.SharedCount + 1];
    private readonly bool _countsUp;
    private readonly int _step;
    private int _sharedChosen;

    /// <summary>Creates the source of one of several threads.</summary>
    /// <param name="options">Keys and seed.</param>
    /// <param name="pool">The values.</param>
    /// <param name="thread">Which thread, counted from 0.</param>
    /// <param name="threads">How many there are; null for as many as the options say.</param>
    /// <param name="countsUp">Whether numbers count up, whatever the options say.</param>
    public RequestSource(BenchOptions options, ValuePool pool, int thread, int? threads = null, bool countsUp = false)
    {
        _keys = options.Keys;
        _countsUp = countsUp || options.Keys.IsSequential;
        _step = threads ?? options.Load.Threads;
        Pool = pool;
        Random = new SeededRandom(options.Seed, thread);
        Array.Fill(_counters, thread % _keys.Count);
    }

    /// <summary>Random numbers of the thread.</summary>
    public SeededRandom Random { get; }

    /// <summary>The values.</summary>
    public ValuePool Pool { get; }

    /// <summary>Chooses the keys of the connection that the request is for.</summary>
    public KeySequence? Sequence { get; private set; }

    /// <summary>The last key that was chosen for the request.</summary>
    public long Key { get; private set; }

    /// <summary>Begins a request.</summary>
    public void Begin(KeySequence sequence)
    {
        Sequence = sequence;
        Key = _keys.Minimum;
        _sharedChosen = 0;
    }

    /// <summary>The next number for <c>__rand_int__</c>.</summary>
    public long NextNumber() => Draw(0);

    /// <summary>The request's number for one of <c>__rand_1st__</c> to <c>__rand_9th__</c>.</summary>
    public long SharedNumber(int slot)
    {
        if ((_sharedChosen & (1 << slot)) == 0)
        {
            _sharedChosen |= 1 << slot;
            _shared[slot] = Draw(slot + 1);
        }

        return _shared[slot];
    }

    /// <summary>The next key's number.</summary>
    public long NextKey() => Key = Sequence!.Next();

    /// <summary>The value for the last key.</summary>
    public ValueSlice NextValue() => Pool.Choose(Key, Random);

    // Threads that count up take turns, so that together they use each number once.
    private long Draw(int counter)
    {
        if (!_countsUp)
            return _keys.Minimum + Random.Next(_keys.Count);
        long number = _counters[counter];
        _counters[counter] = (number + _step) % _keys.Count;
        return _keys.Minimum + number;
    }
}
