// Opens a log over an in-memory folder and reads it back. One owner; the log itself is used as it allows.
using System.Text;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Effects;
using Xunit;
using Log = Garnet.Persistence.AppendLog.AppendOnlyLog;

namespace Garnet.Persistence.Tests.AppendLog;

/// <summary>Opens logs and reads them back as text.</summary>
internal static class LogRig
{
    public const string Prefix = "appendonly.aof";
    public const string FirstSegment = "appendonly.aof.000001.log.000000";

    /// <summary>Small, so that tests need little memory.</summary>
    public const int SegmentBytes = 2 << 20;

    public static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    /// <summary>Opens the log in the folder for appending, or a new one.</summary>
    public static Log Open(
        ILogFolder folder,
        AppendFsync fsync = AppendFsync.Always,
        long stagingBytes = 16 << 20,
        Action<string>? report = null
    )
    {
        AppendLogRecovery recovery = new(folder, Prefix);
        var start = LogStart.Fresh(recovery.NextGeneration, needsBase: false);
        if (recovery.Exists)
        {
            LogEnd end = recovery.Read(static (_, _, _) => { }, mayTruncate: true);
            recovery.Trim();
            start = recovery.StartAfter(end);
        }

        Log log = new(
            folder,
            start,
            new EffectStream(),
            new AppendOnlyLogOptions
            {
                Prefix = Prefix,
                Fsync = fsync,
                StagingBytes = stagingBytes,
                SegmentBytes = SegmentBytes,
                Report = report ?? (static _ => { }),
            }
        );
        log.Start();
        log.Attach();
        return log;
    }

    /// <summary>The effects in a folder's log, without SELECTs, one string per command; and where the log ends.</summary>
    public static List<string> Read(ILogFolder folder, out LogEnd end, bool mayTruncate = true)
    {
        List<string> effects = [];
        AppendLogRecovery recovery = new(folder, Prefix);
        end = recovery.Read((bytes, _, _) => Split(bytes, effects), mayTruncate);
        return effects;
    }

    /// <summary>An effect <c>SET name text</c>.</summary>
    public static byte[] Set(string name, string text) =>
        Encoding.Latin1.GetBytes(
            FormattableString.Invariant($"*3\r\n$3\r\nSET\r\n${name.Length}\r\n{name}\r\n${text.Length}\r\n{text}\r\n")
        );

    /// <summary>Waits until a position is durable; false if it never will be.</summary>
    public static bool WaitDurable(Log log, long offset)
    {
        using Waiter waiter = new();
        if (log.Await(offset, waiter))
            Assert.True(waiter.Wait(), "the log did not answer");
        return log.Durable >= offset;
    }

    private static void Split(ReadOnlySpan<byte> bytes, List<string> effects)
    {
        while (!bytes.IsEmpty)
        {
            int count = Number(ref bytes, '*');
            StringBuilder text = new();
            for (int i = 0; i < count; i++)
            {
                int length = Number(ref bytes, '$');
                text.Append(i > 0 ? " " : "").Append(Encoding.Latin1.GetString(bytes[..length]));
                bytes = bytes[(length + 2)..];
            }

            string command = text.ToString();
            if (!command.StartsWith("SELECT ", StringComparison.Ordinal))
                effects.Add(command);
        }
    }

    private static int Number(ref ReadOnlySpan<byte> bytes, char kind)
    {
        int end = bytes.IndexOf("\r\n"u8);
        Assert.Equal(kind, (char)bytes[0]);
        int number = int.Parse(bytes[1..end], System.Globalization.CultureInfo.InvariantCulture);
        bytes = bytes[(end + 2)..];
        return number;
    }

    private sealed class Waiter : IDurabilityWaiter, IDisposable
    {
        private readonly ManualResetEventSlim _told = new();

        public bool Wait() => _told.Wait(Patience);

        public void OnDurable() => _told.Set();

        public void Dispose() => _told.Dispose();
    }
}
