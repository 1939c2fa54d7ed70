// Logs clients in by their certificates. Stateless.
using System.Text;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;

namespace Garnet.Server.Acl;

/// <summary>
/// Uses the first name in a client's certificate that belongs to a user who may log in; without one the client is not logged in.
/// </summary>
internal static class CertificateLogin
{
    public static void Try(ClientSession client, Users users, ServerStatistics statistics)
    {
        IReadOnlyList<string> names = client.Connection.CertificateUsers;
        foreach (string name in names)
        {
            if (users.FindText(name) is not { Rules.IsOn: true } user)
                continue;
            client.Login.Begin(user);
            return;
        }

        if (names.Count == 0)
            return;
        statistics.CountDenial(Denial.Certificate);
        users.Denials.Add(client, Denial.Certificate, [], Encoding.Latin1.GetString(Encoding.UTF8.GetBytes(names[0])));
    }
}
