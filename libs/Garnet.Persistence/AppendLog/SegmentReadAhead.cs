// Reads a log's files ahead, on its own thread. One consumer.
using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;

namespace Garnet.Persistence.AppendLog;

/// <summary>While one file is used, the next is read into a second buffer.</summary>
internal sealed class SegmentReadAhead : IDisposable
{
    private const int Buffers = 2;
    private readonly ILogFolder _folder;
    private readonly string[] _names;
    private readonly BlockingCollection<byte[]> _free = [];
    private readonly BlockingCollection<Segment> _read = [];
    private readonly CancellationTokenSource _stop = new();
    private readonly Thread _thread;
    private Segment? _current;

    /// <summary>Starts reading the files, in this order.</summary>
    public SegmentReadAhead(ILogFolder folder, IEnumerable<string> names)
    {
        _folder = folder;
        _names = [.. names];
        for (int i = 0; i < Buffers; i++)
            _free.Add([]);
        _thread = new Thread(ReadAll) { IsBackground = true, Name = "log-read" };
        _thread.Start();
    }

    /// <summary>
    /// Returns a file's bytes, valid until the next call. Files are requested in their order; those left out are skipped.
    /// </summary>
    public ArraySegment<byte> Read(string name)
    {
        while (true)
        {
            if (_current is { } used)
                _free.Add(used.Buffer);
            _current = _read.Take();
            _current.Failure?.Throw();
            if (_current.Name == name)
                return new ArraySegment<byte>(_current.Buffer, 0, _current.Length);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _stop.Cancel();
        _thread.Join();
        _free.Dispose();
        _read.Dispose();
        _stop.Dispose();
    }

    private void ReadAll()
    {
        try
        {
            foreach (string name in _names)
                _read.Add(Read(_free.Take(_stop.Token), name));
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            // The consumer was disposed.
        }

        // A request for a file that is not in the list fails instead of waiting.
        _read.CompleteAdding();
    }

    // An error with a file is passed to the thread that requests it.
    private Segment Read(byte[] buffer, string name)
    {
        try
        {
            int length = _folder.Read(name, ref buffer);
            return new Segment(name, buffer, length, null);
        }
        catch (Exception e)
        {
            return new Segment(name, buffer, 0, ExceptionDispatchInfo.Capture(e));
        }
    }

    private sealed record Segment(string Name, byte[] Buffer, int Length, ExceptionDispatchInfo? Failure);
}
