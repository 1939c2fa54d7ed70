// The properties of a type whose objects are parameters of scripts, found once. Immutable; any thread.
using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Garnet.Hosting.InProcess;

/// <summary>Public properties that can be read, by name.</summary>
internal static class ScriptProperties<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>
{
    public static readonly Dictionary<string, ScriptProperty<T>> All = typeof(T)
        .GetProperties(BindingFlags.Public | BindingFlags.Instance)
        .Where(static property => property.GetMethod is { IsPublic: true } && property.GetIndexParameters().Length == 0)
        .DistinctBy(static property => property.Name)
        .ToDictionary(static property => property.Name, ScriptProperty<T>.Of, StringComparer.Ordinal);
}
