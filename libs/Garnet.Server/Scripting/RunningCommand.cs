// The command that runs a script, for FUNCTION STATS. Written by the script's thread; read by others while the script stands still.
using System.Globalization;
using System.Text;
using Garnet.Engine.Execution;

namespace Garnet.Server.Scripting;

/// <summary>Copies of the arguments, in memory that the next command uses again; long commands are shortened as in the slow log.</summary>
internal sealed class RunningCommand
{
    private const int MaxBytes = 16 * 1024;
    private const int MaxArguments = 128;

    private readonly List<int> _ends = [];
    private readonly List<byte> _bytes = [];
    private int _count;

    /// <summary>Takes the arguments of a command.</summary>
    public void Set(ref CommandContext context)
    {
        _ends.Clear();
        _bytes.Clear();
        _count = context.Count;
        for (int i = 0; i < Math.Min(_count, MaxArguments) && _bytes.Count < MaxBytes; i++)
        {
            ReadOnlySpan<byte> argument = context[i];
            int room = MaxBytes - _bytes.Count;
            _bytes.AddRange(argument[..Math.Min(argument.Length, room)]);
            if (argument.Length > room)
                _bytes.AddRange(Rest(argument.Length - room, "bytes"));
            _ends.Add(_bytes.Count);
        }
    }

    /// <summary>Replies with the arguments.</summary>
    public void Write(ref CommandContext context)
    {
        bool isShortened = _ends.Count < _count;
        context.Reply.WriteArray(_ends.Count + (isShortened ? 1 : 0));
        int start = 0;
        foreach (int end in _ends)
        {
            context.Reply.WriteBulk(System.Runtime.InteropServices.CollectionsMarshal.AsSpan(_bytes)[start..end]);
            start = end;
        }

        if (isShortened)
            context.Reply.WriteBulk(Rest(_count - _ends.Count, "arguments"));
    }

    private static byte[] Rest(int number, string what) =>
        Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"... ({number} more {what})"));
}
