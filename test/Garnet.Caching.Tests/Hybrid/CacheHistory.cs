// What happened in a history, and whether it may have. Thread-safe.
using System.Collections.Concurrent;
using System.Globalization;

namespace Garnet.Caching.Tests.Hybrid;

/// <summary>
/// Every event has a number, and every value is written once. A value is older than a removal if its load began before the removal did;
/// it must not be read by a call that began after the removal had returned. To set a key is to remove its former value; two sets, or a set
/// and a removal, that overlap may have happened in either order, so a value that was set counts as written when that returned.
/// </summary>
internal sealed class CacheHistory
{
    public const int Keys = 6;
    public const int Tags = 5;

    private readonly ConcurrentDictionary<string, long> _writtenAt = new();
    private readonly ConcurrentQueue<(int Key, long Began, long Ended)>[] _removals = NewQueues<(int, long, long)>();
    private readonly ConcurrentQueue<(string Value, long Began)>[] _reads = NewQueues<(string, long)>();
    private readonly ConcurrentQueue<(long Began, long Ended)> _losses = new();
    private readonly int[] _loading = new int[Keys];
    private readonly Lock _gate = new();
    private long _now;
    private long _values;
    private long _operations;
    private int _loads;

    public long Operations => Volatile.Read(ref _operations);

    public int MostLoadsAtOnce { get; private set; }

    public static string KeyName(int key) => "k" + key;

    public static string TagName(int tag) => "t" + tag;

    public static string[] TagsOf(int key) => [TagName(key % 3), TagName(3 + (key % 2))];

    public static IEnumerable<int> KeysOf(int tag) => Enumerable.Range(0, Keys).Where(key => TagsOf(key).Contains(TagName(tag)));

    public long Now() => Interlocked.Increment(ref _now);

    public string NewValue(int key)
    {
        string value = string.Create(CultureInfo.InvariantCulture, $"{KeyName(key)}:{Interlocked.Increment(ref _values)}");
        _writtenAt[value] = Now();
        return value;
    }

    public async ValueTask<string> LoadAsync(int key, int delay)
    {
        lock (_gate)
        {
            _loads++;
            MostLoadsAtOnce = Math.Max(MostLoadsAtOnce, ++_loading[key]);
        }

        string value = NewValue(key);
        if (delay > 30)
            await Task.Delay(delay - 30);
        lock (_gate)
            _loading[key]--;
        return value;
    }

    // One that fails may have been made or not, and demands nothing.
    public async Task RemoveAsync(IEnumerable<int> keys, Func<ValueTask> remove)
    {
        long began = Now();
        Interlocked.Increment(ref _operations);
        await remove();
        long ended = Now();
        foreach (int key in keys)
            _removals[key].Enqueue((key, began, ended));
    }

    public async Task SetAsync(int key, Func<string, ValueTask> set)
    {
        string value = "";
        await RemoveAsync(
            [key],
            () =>
            {
                value = NewValue(key);
                // Until it returns, and if it fails: at any time.
                _writtenAt[value] = long.MaxValue;
                return set(value);
            }
        );
        _writtenAt[value] = Now();
    }

    /// <summary>What the server confirmed between two moments may be lost: removals then demand nothing.</summary>
    public void MayLose(long began, long ended) => _losses.Enqueue((began, ended));

    public void Read(int key, string value, long began)
    {
        Interlocked.Increment(ref _operations);
        _reads[key].Enqueue((value, began));
    }

    public IEnumerable<string> Offences()
    {
        for (int key = 0; key < Keys; key++)
        {
            (int Key, long Began, long Ended)[] removals =
            [
                .. _removals[key]
                    .Where(removal => !_losses.Any(loss => removal.Ended > loss.Began && removal.Began < loss.Ended))
                    .OrderBy(static removal => removal.Ended),
            ];
            long[] ends = [.. removals.Select(static removal => removal.Ended)];
            long[] latest = new long[removals.Length];
            for (int i = 0; i < latest.Length; i++)
                latest[i] = Math.Max(removals[i].Began, i == 0 ? 0 : latest[i - 1]);
            foreach ((string value, long began) in _reads[key])
            {
                if (!value.StartsWith(KeyName(key) + ":", StringComparison.Ordinal) || !_writtenAt.TryGetValue(value, out long writtenAt))
                {
                    yield return $"{value} was never written for {KeyName(key)}";
                    continue;
                }

                int before = ~Array.BinarySearch(ends, began) - 1;
                if (before >= 0 && writtenAt < latest[before])
                    yield return $"{value}, written at {writtenAt}, was read by a call of {began} after a removal of {latest[before]}";
            }
        }
    }

    public override string ToString() =>
        $"{_reads.Sum(static reads => reads.Count)} reads, {_loads} loads, "
        + $"{_removals.Sum(static removals => removals.Count)} removed keys, {MostLoadsAtOnce} loads at once";

    private static ConcurrentQueue<T>[] NewQueues<T>() => [.. Enumerable.Range(0, Keys).Select(static _ => new ConcurrentQueue<T>())];
}
