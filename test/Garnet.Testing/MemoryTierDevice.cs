// A disk for values that is memory, with faults. Thread-safe.
using System.Runtime.InteropServices;
using Garnet.Store.Tiering;

namespace Garnet.Testing;

/// <summary>Answers at once on the caller's thread, or when the test says so.</summary>
internal sealed class MemoryTierDevice : ITierDevice
{
    private readonly Lock _gate = new();
    private readonly List<Action> _held = [];
    private byte[] _bytes = [];

    /// <inheritdoc/>
    public int Alignment => 512;

    /// <summary>The error that writes end with; 0 for none.</summary>
    public int WriteError { get; set; }

    /// <summary>The error that reads end with; 0 for none.</summary>
    public int ReadError { get; set; }

    /// <summary>Whether answers are held back until <see cref="Answer"/>.</summary>
    public bool Holds { get; set; }

    /// <summary>Number of reads.</summary>
    public int Reads { get; private set; }

    /// <summary>Bytes written.</summary>
    public long Written { get; private set; }

    /// <summary>Requests that are held back.</summary>
    public int Held
    {
        get
        {
            lock (_gate)
                return _held.Count;
        }
    }

    /// <inheritdoc/>
    public void Write(long position, nint source, int bytes, Action<int> done) =>
        Run(() =>
        {
            if (WriteError == 0)
            {
                lock (_gate)
                {
                    if (_bytes.Length < position + bytes)
                        Array.Resize(ref _bytes, (int)Math.Max(_bytes.Length * 2L, position + bytes));
                    Marshal.Copy(source, _bytes, (int)position, bytes);
                    Written += bytes;
                }
            }

            done(WriteError);
        });

    /// <inheritdoc/>
    public void Read(long position, nint target, int bytes, Action<int> done) =>
        Run(() =>
        {
            if (ReadError == 0)
            {
                lock (_gate)
                {
                    Reads++;
                    Marshal.Copy(_bytes, (int)position, target, (int)Math.Min(bytes, _bytes.Length - position));
                }
            }

            done(ReadError);
        });

    /// <summary>Answers what was held back.</summary>
    public void Answer()
    {
        Action[] held;
        lock (_gate)
        {
            held = [.. _held];
            _held.Clear();
        }

        foreach (Action answer in held)
            answer();
    }

    /// <summary>Flips a bit of every byte that was written.</summary>
    public void Garble()
    {
        lock (_gate)
        {
            for (int i = 0; i < _bytes.Length; i++)
                _bytes[i] ^= 1;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => Answer();

    private void Run(Action answer)
    {
        if (Holds)
        {
            lock (_gate)
                _held.Add(answer);
            return;
        }

        answer();
    }
}
