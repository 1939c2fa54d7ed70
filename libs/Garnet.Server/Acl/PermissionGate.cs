// The rules of the client's user.
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;

namespace Garnet.Server.Acl;

/// <summary>Refuses what a client's user may not do; raised for each client whose user may not do everything.</summary>
internal sealed class PermissionGate(Users users, ServerStatistics statistics) : Gate(GateMask.Permission)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => true;

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request)
    {
        if (request.Client.Login.User is not { } user)
            return default;
        int database = request.Client.Transactions.Open?.Database ?? request.Store.Database;
        Denial denial = Permission.Check(user.Rules, request.Command, in request, 0, database, out int position);
        if (denial == Denial.None)
            return default;
        DenialReport.Add(ref request, users, statistics, user, denial, position);
        RefusalKind kind = KindOf(denial);
        return new Refusal(kind, DenialReport.Short(kind, user, request.Command), position);
    }

    private static RefusalKind KindOf(Denial denial) =>
        denial switch
        {
            Denial.Key => RefusalKind.KeyDenied,
            Denial.Channel => RefusalKind.ChannelDenied,
            Denial.Database => RefusalKind.DatabaseDenied,
            _ => RefusalKind.CommandDenied,
        };
}
