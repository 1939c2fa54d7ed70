// Leaderboards. One instance for each server; commands run on many threads.
using System.Globalization;
using Garnet.Modules;

namespace Garnet.Leaderboard;

/// <summary>
/// A board is a sorted set of players with their best points in a window of time. Of players with equal points the one who had them first
/// is ahead: the score's upper part is the points, the lower part the seconds that were left in the window.
/// </summary>
[Module("boards")]
public sealed class LeaderboardModule : IModule
{
    private const long SecondsPerPoint = 1 << 22; // 48 days; a double holds 2^53
    private const long MaxPoints = 1L << 31;

    private CommandToken _add = null!;
    private CommandToken _expire = null!;
    private CommandToken _range = null!;
    private CommandToken _rank = null!;

    public void Load(IModuleHost host)
    {
        _add = host.FindCommand("ZADD");
        _expire = host.FindCommand("PEXPIREAT");
        _range = host.FindCommand("ZREVRANGE");
        _rank = host.FindCommand("ZREVRANK");
    }

    [Command(
        "LB.SUBMIT",
        CommandFlags.Write | CommandFlags.DenyOom,
        Calls = CommandCalls.OnItsKeys,
        Summary = "Submits a player's points in a window of so many seconds, and replies with the player's rank, 0 for the best."
    )]
    public void Submit(
        ref ModuleContext context,
        [Key] ReadOnlySpan<byte> board,
        ReadOnlySpan<byte> player,
        long points,
        [Option("WINDOW")] long windowSeconds = 7 * 24 * 60 * 60
    )
    {
        if (points is < 0 or >= MaxPoints || windowSeconds is < 1 or >= SecondsPerPoint)
        {
            context.Reply.WriteError("ERR points or window is out of range"u8);
            return;
        }

        long windowMs = windowSeconds * 1000;
        long endMs = ((context.NowMs / windowMs) + 1) * windowMs;
        long score = (points * SecondsPerPoint) + ((endMs - context.NowMs) / 1000);
        const CallFlags flags = CallFlags.Replicate | CallFlags.RespectOom;
        context.Call(context.Request(_add).Add(board).Add("GT"u8).Add(score).Add(player), flags);
        context.Call(context.Request(_expire).Add(board).Add(endMs), flags);
        context.Reply.WriteInteger(context.Call(_rank, CallFlags.None, board, player).Integer);
    }

    [Command("LB.TOP", CommandFlags.ReadOnly, Calls = CommandCalls.OnItsKeys, Summary = "Replies with the best players and their points.")]
    public void Top(ref ModuleContext context, [Key] ReadOnlySpan<byte> board, long count)
    {
        if (count is < 1 or > 1000)
        {
            context.Reply.WriteError("ERR the count must be between 1 and 1000"u8);
            return;
        }

        CallReply best = context.Call(context.Request(_range).Add(board).Add(0).Add(count - 1).Add("WITHSCORES"u8), CallFlags.None);
        context.Reply.WriteMap(best.Count / 2);
        bool isPlayer = true;
        foreach (CallReply each in best)
        {
            if (isPlayer)
                context.Reply.WriteBulk(each.Bytes);
            else
                context.Reply.WriteInteger(PointsOf(each.Bytes));
            isPlayer = !isPlayer;
        }
    }

    // Clients may have written any score into the sorted set, also an infinite one.
    private static long PointsOf(ReadOnlySpan<byte> score) =>
        double.TryParse(score, CultureInfo.InvariantCulture, out double value) ? (long)(value / SecondsPerPoint) : 0;
}
