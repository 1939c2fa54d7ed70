// Garnet's store compared with FasterKV and ConcurrentDictionary: single operations on 16-byte keys and 32-byte values.
using System.Buffers.Binary;
using BenchmarkDotNet.Attributes;

namespace Garnet.Microbenchmarks;

/// <summary>
/// Nanoseconds per operation on random keys. Before it is timed, every contender is checked to return what was stored.
/// <see cref="Threads"/> threads share one store; the result is per operation of one thread.
/// </summary>
[MemoryDiagnoser(displayGenColumns: false)]
public class StoreBenchmarks
{
    private const int OperationsPerThread = 100_000;

    private IStoreContender _contender = null!;
    private IContenderSession[] _sessions = [];

    /// <summary>The measured store.</summary>
    [Params("garnet", "faster", "dictionary")]
    public string Store { get; set; } = "";

    /// <summary>Number of keys.</summary>
    [Params(1_000_000, 20_000_000)]
    public int Keys { get; set; }

    /// <summary>Number of concurrent threads.</summary>
    [Params(1, 2)]
    public int Threads { get; set; }

    /// <summary>Loads the keys and prints the memory per key.</summary>
    [GlobalSetup]
    public void Load()
    {
        long before = Environment.WorkingSet;
        _contender = Store switch
        {
            "garnet" => new GarnetContender(),
            "faster" => new FasterContender(Keys),
            _ => new DictionaryContender(Keys),
        };
        _sessions = Enumerable.Range(0, Threads).Select(_ => _contender.Open()).ToArray();
        Span<byte> key = stackalloc byte[KeyBytes];
        Span<byte> value = stackalloc byte[32];
        for (int i = 0; i < Keys; i++)
        {
            WriteKey(key, i);
            BinaryPrimitives.WriteInt64LittleEndian(value, i);
            _sessions[0].Set(key, value);
        }

        WriteKey(key, Keys / 2);
        if (_sessions[0].Get(key) != Keys / 2)
            throw new InvalidOperationException($"{Store} does not return what was stored.");
        Console.WriteLine($"// memory per key: {(Environment.WorkingSet - before) / (double)Keys:F1} bytes");
    }

    /// <summary>Frees the store's memory.</summary>
    [GlobalCleanup]
    public void Unload()
    {
        foreach (IContenderSession session in _sessions)
            session.Dispose();
        _contender.Dispose();
    }

    /// <summary>Reads.</summary>
    [Benchmark(OperationsPerInvoke = OperationsPerThread)]
    public void Get() => RunAll(static (session, key, _) => session.Get(key));

    /// <summary>Writes of the existing size.</summary>
    [Benchmark(OperationsPerInvoke = OperationsPerThread)]
    public void SetInPlace() => RunAll(static (session, key, i) => session.Set(key, stackalloc byte[32]));

    /// <summary>Writes of varying sizes, 8 to 64 bytes.</summary>
    [Benchmark(OperationsPerInvoke = OperationsPerThread)]
    public void SetNewSize() => RunAll(static (session, key, i) => session.Set(key, stackalloc byte[8 + (i * 8 % 64)]));

    /// <summary>Read-modify-write: adds one to the value's first eight bytes.</summary>
    [Benchmark(OperationsPerInvoke = OperationsPerThread)]
    public void Increment() => RunAll(static (session, key, _) => session.Increment(key));

    internal const int KeyBytes = 16;

    internal static void WriteKey(Span<byte> key, int number)
    {
        "key:"u8.CopyTo(key);
        number.TryFormat(key[4..], out int digits, "D12");
    }

    private void RunAll(Operation operation)
    {
        if (Threads == 1)
        {
            RunOne(_sessions[0], operation, 1);
            return;
        }

        Thread[] threads = _sessions.Select((session, i) => new Thread(() => RunOne(session, operation, i + 1))).ToArray();
        foreach (Thread thread in threads)
            thread.Start();
        foreach (Thread thread in threads)
            thread.Join();
    }

    private void RunOne(IContenderSession session, Operation operation, int seed)
    {
        uint random = (uint)seed * 2654435761u;
        Span<byte> key = stackalloc byte[KeyBytes];
        for (int i = 0; i < OperationsPerThread; i++)
        {
            random = (random * 1664525) + 1013904223;
            WriteKey(key, (int)(((ulong)random * (uint)Keys) >> 32));
            operation(session, key, i);
        }
    }

    private delegate void Operation(IContenderSession session, ReadOnlySpan<byte> key, int i);
}
