// CLIENT TRACKINGINFO
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Tracking;

namespace Garnet.Server.Commands.Connection;

/// <summary>Reports how the client tracks keys.</summary>
internal static class ClientTrackingInfoCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "TRACKINGINFO",
        Arity = 2,
        Flags = CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "6.2.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        ClientTracking? tracking = context.Client.Tracking;
        List<string> flags = FlagsOf(tracking);
        context.Reply.WriteMap(3);
        context.Reply.WriteBulk("flags"u8);
        context.Reply.WriteSet(flags.Count);
        foreach (string flag in flags)
            ArgumentText.WriteBulk(ref context, flag);
        context.Reply.WriteBulk("redirect"u8);
        context.Reply.WriteInteger(tracking?.Redirect ?? -1);
        context.Reply.WriteBulk("prefixes"u8);
        context.Reply.WriteArray(tracking?.Prefixes.Count ?? 0);
        foreach (byte[] prefix in tracking?.Prefixes ?? [])
            context.Reply.WriteBulk(prefix);
    }

    private static List<string> FlagsOf(ClientTracking? tracking)
    {
        if (tracking is not { IsOn: true })
            return ["off"];
        List<string> flags = ["on"];
        if ((tracking.Modes & TrackingModes.Broadcast) != 0)
            flags.Add("bcast");
        AddChoice(flags, tracking, TrackingModes.OptIn, "optin", "caching-yes");
        AddChoice(flags, tracking, TrackingModes.OptOut, "optout", "caching-no");
        if ((tracking.Modes & TrackingModes.NoLoop) != 0)
            flags.Add("noloop");
        if (tracking.IsRedirectBroken)
            flags.Add("broken_redirect");
        return flags;
    }

    private static void AddChoice(List<string> flags, ClientTracking tracking, TrackingModes mode, string name, string given)
    {
        if ((tracking.Modes & mode) == 0)
            return;
        flags.Add(name);
        if (tracking.IsCachingGiven)
            flags.Add(given);
    }
}
